import { eq } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { Database } from '#server/db/database.ts';
import { setting } from '#server/db/schema/setting.ts';

import { applyInactivity, type Downtime, findInactivityChanges } from './inactivity.ts';

/** The stored state of the watch: its last run and the downtimes, in ISO 8601. */
interface WatchState {
  readonly last: string;
  readonly downtimes: { from: string; to: string }[];
}

const KEY = 'listening';
/** Runs are five minutes apart, so a longer gap means that no server was running. */
const MAX_GAP_MS = 15 * 60_000;
/** Older downtimes do not affect the inactivity of any device. */
const MAX_DOWNTIMES = 50;

/** Updates the inactivity of all devices, in one transaction per organization with changes. */
export async function watchInactivity({ db, now: clock }: { db: Database; now: () => Date }): Promise<void> {
  const now = clock();
  const downtimes = await recordRun(db, now);
  const changes = await findInactivityChanges(db.orm, now, downtimes);
  for (const [organization, group] of groupBy(changes, (change) => change.organization)) {
    await db.transaction((tx) => applyInactivity(tx, organization, group, now));
  }
}

/**
 * Records the current run.
 *
 * @returns the downtimes so far
 */
async function recordRun(db: Database, now: Date): Promise<Downtime[]> {
  const [row] = await db.orm.select().from(setting).where(eq(setting.key, KEY));
  const state = row?.value as WatchState | undefined;
  const last = state ? new Date(state.last) : now;
  const downtimes = state?.downtimes ?? [];
  if (now.getTime() - last.getTime() > MAX_GAP_MS) downtimes.push({ from: last.toISOString(), to: now.toISOString() });
  const value: WatchState = { last: now.toISOString(), downtimes: downtimes.slice(-MAX_DOWNTIMES) };
  await db.orm.insert(setting).values({ key: KEY, value }).onConflictDoUpdate({ target: setting.key, set: { value } });
  return value.downtimes.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
}
