import type { DescMethod } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';
import { loggable } from '#server/base/loggable.ts';

/** Of a call's scope what is counted by. */
interface Caller {
  readonly organization: string;
  readonly session: { user: { id: string }; client: string };
}

/** Counts what people do, by the day, for UserService.Activity. */
export interface ActivityLog {
  /** Notes a call that was let through; costs no query. */
  record(caller: Caller, method: DescMethod): void;
  /** Stores what was counted since the last time. */
  flush(): Promise<void>;
  /** Stores the rest. */
  close(): Promise<void>;
}

interface Counted {
  readonly organization: string;
  readonly userId: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** `TagService.Create`. */
  readonly action: string;
  readonly client: string;
  requests: number;
}

/** Programs by the name that they send with their calls. The contract's three are ours under other names. */
export const programs = {
  usedMissionControl: ['quarterdeck-console', 'mission-control'],
  usedHiberCli: ['quarterdeck-cli', 'hiber-cli'],
  usedHiberApp: ['quarterdeck-app', 'hiber-app'],
} as const;

/** Others count without their name: whoever calls under a new one each time must not make a row each time. */
const named: ReadonlySet<string> = new Set(Object.values(programs).flat());

/** What a crash may lose. */
const FLUSH_EVERY_MS = 5000;

interface Needed {
  readonly db: Database;
  readonly log: Log;
  now(): Date;
}

export function openActivityLog({ db, log, now }: Needed): ActivityLog {
  let counted = new Map<string, Counted>();
  let writing = Promise.resolve();

  function add(item: Counted): void {
    const { organization, userId, date, action, client, requests } = item;
    const key = JSON.stringify([organization, userId, date, action, client]);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { ...item });
    else known.requests += requests;
  }

  async function write(): Promise<void> {
    const rows = [...counted.values()];
    counted = new Map();
    if (rows.length === 0) return;
    try {
      await store(db, rows);
    } catch (error) {
      for (const row of rows) add(row);
      log.error('activity not stored', { error: loggable(error) });
    }
  }

  const flush = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    record({ organization, session }, method) {
      const date = now().toISOString().slice(0, 10);
      const action = `${method.parent.name}.${method.name}`;
      const client = named.has(session.client) ? session.client : '';
      add({ organization, userId: session.user.id, date, action, client, requests: 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** In one statement; what concerns an organization or an account that was deleted in the meantime is dropped. */
async function store(db: Database, rows: readonly Counted[]): Promise<void> {
  const column = (key: keyof Counted) => sql.param(rows.map((row) => row[key]));
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
