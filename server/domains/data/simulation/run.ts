import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';

import { runMessages } from './message-run.ts';
import { runLocations, runValues } from './value-run.ts';

export interface Simulations {
  close(): Promise<void>;
}

/** The interval between rounds. All simulations share it, so their number doesn't affect the number of timers. */
const ROUND_MS = 5000;
/** The maximum per organization and round; the rest is due in the next round. */
const MAX_BATCHES = 10;
/** The maximum time per organization and round, in milliseconds, and the number of organizations that run at once. */
const MAX_ROUND_MS = 2000;
const CONCURRENT_ORGANIZATIONS = 8;

/**
 * Sends simulated messages and stores simulated values when due. The state is in the database, so after a restart,
 * simulations continue with their next run, and missed runs are skipped. Several processes can share the work because
 * each claims the runs in the transaction that stores their result.
 */
export function startSimulations(app: App): Simulations {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await delay(ROUND_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await runSimulations(app, stopping.signal);
    }
  })();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Runs one round. A failure affects only the organization in which it occurs. */
export async function runSimulations(app: App, stopping?: AbortSignal): Promise<void> {
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      app.log.warn('A round of the simulations failed.', { reason: describeError(error) });
    }
  };
  const runAll = async (organizations: readonly string[], run: (organization: string) => Promise<boolean>) => {
    const remainingOrganizations = [...organizations];
    const runNext = async () => {
      for (
        let organization = remainingOrganizations.shift();
        organization !== undefined;
        organization = remainingOrganizations.shift()
      ) {
        const name = organization;
        const endsAt = performance.now() + MAX_ROUND_MS;
        await attempt(async () => {
          for (let batch = 0; batch < MAX_BATCHES && performance.now() < endsAt; batch += 1) {
            if (stopping?.aborted === true || !(await run(name))) return;
          }
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_ORGANIZATIONS }, runNext));
  };
  await attempt(async () => {
    const dueRuns = await findDue(app);
    await runAll(dueRuns.messages, async (organization) => runMessages(app, organization));
    await runAll(dueRuns.locations, async (organization) => runLocations(app, organization));
    await runAll(dueRuns.values, async (organization) => runValues(app, organization));
  });
}

/** Returns the organizations with due simulations. Every organization with simulations has settings (lockSettings). */
async function findDue(app: App) {
  const now = app.now().toISOString();
  const isDue = (table: string) => sql`exists (
    select 1 from ${sql.identifier(table)} as due
     where due.organization = simulation.organization and due.next_run <= ${now}::timestamptz
       ${table === 'message_simulation' ? sql`and due.enabled and simulation.enabled` : sql``})`;
  const { rows } = await app.db.orm.execute<{
    organization: string;
    messages: boolean;
    locations: boolean;
    values: boolean;
  }>(sql`
    select organization, ${isDue('message_simulation')} as messages, ${isDue('location_simulation')} as locations,
      ${isDue('value_simulation')} as "values" from simulation`);
  const organizations = (kind: 'messages' | 'locations' | 'values') =>
    rows.filter((row) => row[kind]).map(({ organization }) => organization);
  return {
    messages: organizations('messages'),
    locations: organizations('locations'),
    values: organizations('values'),
  };
}
