import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/database.ts';
import { setting } from '#server/db/schema/setting.ts';
import { groupBy } from '#server/base/group-by.ts';
import { applyInactivity, type Downtime, inactivityChanges } from './inactivity.ts';

/** What is remembered about listening: the last look, and the times without any. ISO 8601. */
interface Listening {
  readonly last: string;
  readonly downtimes: { from: string; to: string }[];
}

const KEY = 'listening';
/** Looks are five minutes apart; a longer gap means that no server ran. Milliseconds. */
const GAP = 15 * 60_000;
/** Older ones are before anything that a device is still waited for. */
const REMEMBERED = 50;

/** Judges the silence of all devices. One transaction per organization, and only for those where something changes. */
export async function watchInactivity({ db, now: clock }: { db: Database; now: () => Date }): Promise<void> {
  const now = clock();
  const downtimes = await listen(db, now);
  const changes = await inactivityChanges(db.orm, now, downtimes);
  for (const [organization, group] of groupBy(changes, (change) => change.organization)) {
    await db.transaction((tx) => applyInactivity(tx, organization, group, now));
  }
}

/** Notes that somebody listens now. @returns when nobody did */
async function listen(db: Database, now: Date): Promise<Downtime[]> {
  const [row] = await db.orm.select().from(setting).where(eq(setting.key, KEY));
  const known = row?.value as Listening | undefined;
  const last = known ? new Date(known.last) : now;
  const downtimes = known?.downtimes ?? [];
  if (now.getTime() - last.getTime() > GAP) downtimes.push({ from: last.toISOString(), to: now.toISOString() });
  const value: Listening = { last: now.toISOString(), downtimes: downtimes.slice(-REMEMBERED) };
  await db.orm.insert(setting).values({ key: KEY, value }).onConflictDoUpdate({ target: setting.key, set: { value } });
  return value.downtimes.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
}
