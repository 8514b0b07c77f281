import { and, asc, eq, sql } from 'drizzle-orm';

import { openIfSealed, type Sealer } from '#server/base/secrets.ts';
import type { Database, Orm } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { sealNotes } from '#server/domains/fleet/device/model/secure-notes.ts';

import { migrateDataOnce } from './data-migration.ts';

const BATCH_SIZE = 500;

/** Encrypts the secure notes of devices, which earlier releases stored in plaintext. */
export async function sealSecureNotes(db: Database, secrets: Sealer): Promise<void> {
  await migrateDataOnce(db, {
    mark: 'secure-notes-sealed',
    tables: ['device'],
    async migrate(orm) {
      let sealedCount = 0;
      let after: DeviceKey | undefined;
      do {
        const rows = await nextBatch(orm, after);
        sealedCount += await sealBatch(orm, secrets, rows);
        after = rows.at(-1);
      } while (after !== undefined);
      return sealedCount > 0;
    },
  });
}

interface DeviceKey {
  readonly organization: string;
  readonly number: string;
}

function nextBatch(orm: Orm, after: DeviceKey | undefined) {
  const { organization, number, secureNotes } = device;
  return orm
    .select({ organization, number, secureNotes })
    .from(device)
    .where(
      and(
        sql`${secureNotes} <> ''`,
        after && sql`(${organization}, ${number}) > (${after.organization}, ${after.number})`,
      ),
    )
    .orderBy(asc(organization), asc(number))
    .limit(BATCH_SIZE);
}

/** Skips values that the key decrypts because an earlier start sealed them before being killed. */
function sealBatch(orm: Orm, secrets: Sealer, rows: Awaited<ReturnType<typeof nextBatch>>): Promise<number> {
  const plaintextRows = rows.filter(({ secureNotes }) => openIfSealed(secrets, secureNotes) === undefined);
  return orm.transaction(async (tx) => {
    for (const { organization, number, secureNotes } of plaintextRows) {
      await tx
        .update(device)
        .set({ secureNotes: sealNotes(secrets, secureNotes) })
        .where(and(eq(device.organization, organization), eq(device.number, number)));
    }
    return plaintextRows.length;
  });
}
