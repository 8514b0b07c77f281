import { eq } from 'drizzle-orm';

import { type Sealer, UnsealError } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { setting } from '#server/db/schema/setting.ts';

/** Thrown if the database was sealed with a different key, so the server could not decrypt its secrets. */
export class SealingKeyError extends Error {
  override name = 'SealingKeyError';
}

const NAME = 'sealing-check';

/**
 * Ensures that all servers sharing a database use the same key. The first server stores a sealed value, and the others
 * must be able to decrypt it.
 *
 * @throws SealingKeyError
 */
export async function checkSealingKey(db: Database, sealer: Sealer): Promise<void> {
  await db.orm
    .insert(setting)
    .values({ key: NAME, value: sealer.seal('quarterdeck') })
    .onConflictDoNothing();
  const [row] = await db.orm.select({ value: setting.value }).from(setting).where(eq(setting.key, NAME));
  try {
    sealer.open(String(row?.value));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new SealingKeyError(
      'The secrets in this database were sealed with a different key. Set QUARTERDECK_SEALING_KEY to the contents of ' +
        "sealing.key in the first server's data folder.",
    );
  }
}
