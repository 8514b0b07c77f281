import type { DescMethod } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';

/** The parts of a call's scope that identify its activity count. */
interface Caller {
  readonly organization: string;
  readonly session: { user: { id: string }; client: string };
}

/** Counts users' activity per day, for UserService.Activity. */
export interface ActivityLog {
  /** Counts a call that passed its policy. Doesn't query the database. */
  record(caller: Caller, method: DescMethod): void;
  /** Stores the counts since the last flush. */
  flush(): Promise<void>;
  /** Stores the remaining counts, and stops. */
  close(): Promise<void>;
}

interface ActivityCount {
  readonly organization: string;
  readonly userId: string;
  /** The date in UTC, in ISO 8601 format. */
  readonly date: string;
  /** The service and method, such as `TagService.Create`. */
  readonly action: string;
  readonly client: string;
  requests: number;
}

/** Client names, keyed by the contract field that reports their use. */
export const clientNames = {
  usedMissionControl: ['quarterdeck-console', 'mission-control'],
  usedHiberCli: ['quarterdeck-cli', 'hiber-cli'],
  usedHiberApp: ['quarterdeck-app', 'hiber-app'],
} as const;

/** Unknown names are stored as empty, so a client can't create a row per call by varying its name. */
const knownClients: ReadonlySet<string> = new Set(Object.values(clientNames).flat());

/** The number of milliseconds between flushes. A crash loses at most this much activity. */
const FLUSH_INTERVAL_MS = 5000;

interface Dependencies {
  readonly db: Database;
  readonly log: Log;
  now(): Date;
}

export function openActivityLog({ db, log, now }: Dependencies): ActivityLog {
  let counts = new Map<string, ActivityCount>();
  let pendingWrite = Promise.resolve();

  function add(item: ActivityCount): void {
    const { organization, userId, date, action, client, requests } = item;
    const key = JSON.stringify([organization, userId, date, action, client]);
    const existing = counts.get(key);
    if (existing === undefined) counts.set(key, { ...item });
    else existing.requests += requests;
  }

  async function write(): Promise<void> {
    const rows = [...counts.values()];
    counts = new Map();
    if (rows.length === 0) return;
    try {
      await store(db, rows);
    } catch (error) {
      for (const row of rows) add(row);
      log.error("Activity counts couldn't be stored.", { error: describeError(error) });
    }
  }

  const flush = (): Promise<void> => (pendingWrite = pendingWrite.then(write));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    record({ organization, session }, method) {
      const date = now().toISOString().slice(0, 10);
      const action = `${method.parent.name}.${method.name}`;
      const client = knownClients.has(session.client) ? session.client : '';
      add({ organization, userId: session.user.id, date, action, client, requests: 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Stores all rows in one statement. Skips organizations and accounts that were deleted in the meantime. */
async function store(db: Database, rows: readonly ActivityCount[]): Promise<void> {
  const column = (key: keyof ActivityCount) => sql.param(rows.map((row) => row[key]));
  await db.orm.execute(sql`
    insert into user_activity (organization, user_id, date, action, client, requests)
    select t.organization, t.user_id, t.date, t.action, t.client, t.requests
      from unnest(${column('organization')}::text[], ${column('userId')}::text[], ${column('date')}::date[],
        ${column('action')}::text[], ${column('client')}::text[], ${column('requests')}::int[]
      ) as t (organization, user_id, date, action, client, requests)
      join organization on organization.id = t.organization
      join app_user on app_user.id = t.user_id and app_user.deleted_at is null
    on conflict (organization, user_id, date, action, client)
    do update set requests = user_activity.requests + excluded.requests`);
}
