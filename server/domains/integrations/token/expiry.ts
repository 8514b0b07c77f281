import { and, asc, eq, isNull, lte, type SQL } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { token } from '#server/db/schema/token.ts';
import { findLevel } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';

import { tokenExpired, tokenExpiryWarning } from './events.ts';
import { presentToken, type TokenRow } from './present.ts';

const TWO_WEEKS_MS = 14 * 24 * 3600 * 1000;
/** The maximum number of tokens per transaction. */
const BATCH_SIZE = 200;

/**
 * Records an event when a token is about to expire within two weeks, and another once it has expired (contract:
 * TokenService). Several processes can run this at the same time, because each locks the tokens it handles and skips
 * locked tokens.
 */
export async function recordTokenExpiry({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  const time = now();
  await runInBatches(db, (tx) => recordWarnings(tx, time));
  await runInBatches(db, (tx) => recordExpiries(tx, time));
}

async function runInBatches(db: App['db'], work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await db.transaction(work)) === BATCH_SIZE);
}

const lockDueTokens = (tx: Tx, deadline: Date, notRecorded: SQL): Promise<TokenRow[]> =>
  tx
    .select()
    .from(token)
    .where(and(lte(token.expiresAt, deadline), notRecorded))
    .orderBy(asc(token.expiresAt), asc(token.organization), asc(token.id))
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true });

async function recordWarnings(tx: Tx, now: Date): Promise<number> {
  const rows = await lockDueTokens(tx, new Date(now.getTime() + TWO_WEEKS_MS), isNull(token.expiryWarnedAt));
  for (const row of rows) {
    await updateToken(tx, row, { expiryWarnedAt: now });
    // A token that expired while no server was running no longer needs a warning.
    if (row.expiresAt === null || row.expiresAt <= now) continue;
    const level = await findLevel(tx, row.organization, EventType.TOKEN_EXPIRY_WARNING);
    if (level !== undefined) {
      await recordEvents(tx, [tokenExpiryWarning(row.organization, presentToken(row), now, level)]);
    }
  }
  return rows.length;
}

async function recordExpiries(tx: Tx, now: Date): Promise<number> {
  const rows = await lockDueTokens(tx, now, isNull(token.expiredNotifiedAt));
  for (const row of rows) await updateToken(tx, row, { expiredNotifiedAt: now });
  await recordEvents(
    tx,
    rows.map((row) => tokenExpired(row.organization, presentToken(row), now)),
  );
  return rows.length;
}

const updateToken = (
  tx: Tx,
  row: TokenRow,
  change: Partial<Pick<typeof token.$inferInsert, 'expiryWarnedAt' | 'expiredNotifiedAt'>>,
) =>
  tx
    .update(token)
    .set(change)
    .where(and(eq(token.organization, row.organization), eq(token.id, row.id)));
