import { type Db, PgBoss } from 'pg-boss';

import type { App } from '#server/app/app.ts';
import { deleteExpiredLimits } from '#server/app/rate-limit.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Database } from '#server/db/database.ts';
import { vacuumEmbedded } from '#server/db/drivers/vacuum.ts';
import { mergeStoredCounts } from '#server/db/merge-stored-counts.ts';
import { dropOldPartitions, ensurePartitions } from '#server/db/migrate/partitions.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';
import { expireExports } from '#server/domains/data/export/expiry.ts';
import { deleteExpiredFiles } from '#server/domains/data/file/expiry.ts';
import { continueRetries } from '#server/domains/data/parser/retry/job.ts';
import { summarizeMessages } from '#server/domains/fleet/message/summary.ts';
import { recordTokenExpiry } from '#server/domains/integrations/token/expiry.ts';
import { deleteOldActivity } from '#server/domains/people/user/activity-upkeep.ts';
import { watchInactivity } from '#server/domains/signals/alarm/watch-inactivity.ts';
import { expireHealth } from '#server/domains/signals/health-level/device-health.ts';
import { deleteOldEmails } from '#server/mail/upkeep.ts';
import { deleteStaleDeliveries } from '#server/publishing/outbox.ts';

/** Scheduled work that runs in only one of the processes sharing a database. */
interface Job {
  /** The name of its queue. */
  readonly name: string;
  /** The schedule, in UTC (minute, hour, day, month, weekday). */
  readonly cron: string;
  work(app: App): Promise<void>;
}

const jobs: readonly Job[] = [
  { name: 'partition-upkeep', cron: '17 3 * * *', work: maintainPartitions },
  { name: 'vacuum', cron: '41 * * * *', work: (app) => vacuumEmbedded(app.db) },
  { name: 'inactivity', cron: '*/5 * * * *', work: watchInactivity },
  { name: 'health-expiry', cron: '* * * * *', work: expireHealth },
  { name: 'tag-counts', cron: '*/5 * * * *', work: ({ db }) => mergeStoredCounts(db.orm) },
  { name: 'message-summary', cron: '* * * * *', work: summarizeMessages },
  { name: 'outbox-upkeep', cron: '27 3 * * *', work: (app) => deleteStaleDeliveries(app.db.orm) },
  { name: 'activity-upkeep', cron: '37 3 * * *', work: (app) => deleteOldActivity(app) },
  { name: 'mail-upkeep', cron: '37 3 * * *', work: (app) => deleteOldEmails(app.db, app.now()) },
  { name: 'rate-limit-upkeep', cron: '7 * * * *', work: (app) => deleteExpiredLimits(app.db.orm, app.now()) },
  { name: 'parser-retries', cron: '* * * * *', work: continueRetries },
  { name: 'file-expiry', cron: '* * * * *', work: deleteExpiredFiles },
  { name: 'export-expiry', cron: '* * * * *', work: expireExports },
  { name: 'token-expiry', cron: '*/10 * * * *', work: (app) => recordTokenExpiry(app) },
];

async function maintainPartitions({ db, now }: App): Promise<void> {
  await ensurePartitions(db.pool, now());
  await dropOldPartitions(db.pool, now());
}

/** Jobs run at most once a minute, so polling can be this slow. */
const POLLING_SECONDS = 30;
const STOP_TIMEOUT_MS = 2000;

export interface Jobs {
  /** Waits briefly for running jobs to finish. */
  close(): Promise<void>;
}

/** Starts the schedule on the app's own database, where pg-boss stores its state in its own schema. */
export async function startJobs(app: App): Promise<Jobs> {
  const boss = new PgBoss({
    db: createPgBossAdapter(app.db),
    backend: app.db.kind === 'pglite' ? 'pglite' : 'postgres',
    persistWarnings: false,
  });
  boss.on('error', (error) => app.log.error('The job schedule failed.', { error: error.message }));
  await withoutTimeLimit(() => boss.start());
  for (const { name, cron, work } of jobs) {
    await boss.createQueue(name, { policy: 'singleton', retryLimit: 2 });
    await boss.schedule(name, cron, null, { tz: 'UTC' });
    await boss.work(name, { batchSize: 1, pollingIntervalSeconds: POLLING_SECONDS }, async () => {
      try {
        await withoutTimeLimit(() => work(app));
      } catch (error) {
        app.log.error('A job failed.', { job: name, error: describeError(error) });
        throw error;
      }
    });
  }
  return { close: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }) };
}

/**
 * Creates the database adapter that pg-boss uses. Rolls back after an error because pg-boss sends several statements
 * together, and a failure would leave their transaction open.
 */
function createPgBossAdapter({ pool }: Database): Db {
  return {
    async executeSql(text, values) {
      const client = await pool.connect();
      try {
        return await client.query(text, values);
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
