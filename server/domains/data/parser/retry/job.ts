import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { keyRowsIn } from '#server/db/key-rows.ts';
import { device } from '#server/db/schema/device.ts';
import { message, type StoredParsedBody } from '#server/db/schema/message.ts';
import { parser } from '#server/db/schema/parser.ts';
import { assignedParsers } from '#server/domains/data/parser/model/assigned.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { parseMessages } from '#server/domains/data/parser/pipeline/parse.ts';
import { readableOutcomes } from '#server/domains/data/parser/pipeline/store.ts';
import { parserRetry, parserRetryDevice } from '#server/domains/data/parser/schema.ts';

import { storeAgain } from './store-again.ts';

/** Identifies a job. */
export interface Retry {
  readonly organization: string;
  readonly identifier: string;
}

/** The number of messages that a transaction stores again, so devices are not locked for long. */
const BATCH_SIZE = 100;
/** Longer than any batch takes, even while waiting for other organizations' parsers. */
const LEASE_MS = 120_000;
/** The number of attempts without progress after which a job is abandoned. */
const MAX_FAILURES = 5;

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/**
 * Runs a job to its end, starting with the first message that isn't done. Each batch and its progress are one
 * transaction, so a killed job continues exactly where it stopped.
 *
 * @param onBatch receives the results of each batch
 */
export async function runRetry(
  app: App,
  retry: Retry,
  onBatch: (results: readonly StoredParsedBody[]) => void = () => undefined,
): Promise<void> {
  try {
    for (;;) {
      const results = await runBatch(app, retry);
      if (results === undefined) return;
      onBatch(results);
    }
  } catch (error) {
    // Another process holds the lease.
    if (!(error instanceof TakenOverError)) await recordFailure(app, retry).catch(() => undefined);
    throw error;
  }
}

/** Thrown if the lease of a job ended while this process ran a batch, and another process has continued the job. */
class TakenOverError extends ConnectError {
  override name = 'TakenOverError';

  constructor() {
    super('Another server process continues this retry, and stores its results.', Code.Aborted);
  }
}

/** Continues the jobs that failed or whose processes were killed, one after another, each once. */
export async function continueRetries(app: App): Promise<void> {
  const tried: string[] = [];
  for (;;) {
    const retry = await takeOver(app, sql`identifier <> all(${sql.param(tried)}::text[])`);
    if (retry === undefined) return;
    tried.push(retry.identifier);
    try {
      await runRetry(app, retry);
    } catch (error) {
      app.log.error('A retry of parsers failed.', { ...retry, error: describeError(error) });
    }
  }
}

const keyEquals = ({ organization, identifier }: Retry) =>
  and(eq(parserRetry.organization, organization), eq(parserRetry.identifier, identifier));

/** Parses and stores the next messages. Returns their results, or undefined once no messages are left. */
async function runBatch(app: App, retry: Retry): Promise<readonly StoredParsedBody[] | undefined> {
  const { orm } = app.db;
  const [job] = await orm
    .select({
      done: parserRetry.done,
      suppressEvents: parserRetry.suppressEvents,
      ids: sql<
        number[]
      >`to_json(${parserRetry.messages}[${parserRetry.done} + 1 : ${parserRetry.done} + ${BATCH_SIZE}])`,
    })
    .from(parserRetry)
    .where(keyEquals(retry));
  if (job === undefined) return undefined;
  const { done, suppressEvents, ids } = job;
  const messages = await loadMessages(app, retry.organization, ids);
  const claims = await loadClaims(app, retry, [...new Set(messages.map(({ number }) => number))]);
  const outcomes = await parseMessages({ ...app, db: orm }, retry.organization, messages, {
    condition: anyOf(parser.identifier, [...new Set([...claims.values()].flat())]),
    failIfBusy: true,
  });
  const retried = messages.map((row, index) => ({
    ...row,
    // Ignore parsers that were assigned after the job began.
    outcomes: (outcomes[index] ?? []).filter((outcome) => claims.get(row.number)?.includes(outcome.parser)),
  }));
  await app.db.transaction(async (tx) => {
    await storeAgain(tx, retry.organization, retried, { now: app.now(), suppressEvents });
    await advance(tx, retry, done, done + ids.length, app.now());
  });
  const assigned = await loadAssigned(app, retry.organization, [...claims.keys()]);
  return retried.flatMap(({ number, outcomes: applied }) => [
    ...readableOutcomes(applied),
    ...(claims.get(number) ?? []).flatMap((identifier) =>
      assigned.has(`${number} ${identifier}`) || applied.some((outcome) => outcome.parser === identifier)
        ? []
        : [{ parser: identifier, name: identifier, error: LOST_PARSER }],
    ),
  ]);
}

const LOST_PARSER = 'The parser was deleted or unassigned before it parsed this message again.';

/** Returns the parsers that devices have now, as `number parser`. */
async function loadAssigned({ db }: App, organization: string, numbers: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.orm.execute<{ number: string; parser: string }>(sql`
    select link.number, link.parser
      from (${assignedParsers(keyRowsIn(organization, numbers))}) as link
      join ${parser} on ${parser.organization} = link.owner and ${parser.identifier} = link.parser
     where ${usableBy(organization)}`);
  return new Set(rows.map((row) => `${row.number} ${row.parser}`));
}

async function loadMessages({ db }: App, organization: string, ids: readonly number[]) {
  const rows = await db.orm
    .select({
      id: message.id,
      receivedAt: message.receivedAt,
      number: message.number,
      sentAt: message.sentAt,
      body: message.body,
      metadata: message.metadata,
      latitude: message.latitude,
      longitude: message.longitude,
    })
    .from(message)
    // The device may have been deleted since.
    .innerJoin(device, and(eq(device.organization, message.organization), eq(device.number, message.number)))
    .where(and(eq(message.organization, organization), anyOf(message.id, ids)))
    .orderBy(asc(message.sentAt), asc(message.id));
  return rows.map((row) => ({ ...row, metadata: (row.metadata ?? {}) as JsonObject }));
}

/** Returns the parsers that the job applies, keyed by device. */
async function loadClaims({ db }: App, retry: Retry, numbers: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.orm
    .select({ number: parserRetryDevice.number, parser: parserRetryDevice.parser })
    .from(parserRetryDevice)
    .where(
      and(
        eq(parserRetryDevice.organization, retry.organization),
        eq(parserRetryDevice.retry, retry.identifier),
        anyOf(parserRetryDevice.number, numbers),
      ),
    );
  const parsers = [...groupBy(rows, ({ number }) => number)];
  return new Map(parsers.map(([number, claims]) => [number, claims.map((claim) => claim.parser)]));
}

/**
 * Records a job's progress, or deletes the job once it's done.
 *
 * @throws TakenOverError if another process has continued the job in the meantime, which rolls back the batch
 */
async function advance(tx: Tx, retry: Retry, from: number, to: number, now: Date): Promise<void> {
  const updatedRows = await tx
    .update(parserRetry)
    .set({ done: to, failures: 0, leasedUntil: leaseEnd(now) })
    .where(and(keyEquals(retry), eq(parserRetry.done, from)))
    .returning({ total: sql<number>`cardinality(${parserRetry.messages})` });
  const [job] = updatedRows;
  if (job === undefined) throw new TakenOverError();
  if (to >= job.total) await tx.delete(parserRetry).where(keyEquals(retry));
}

/** Ends the lease of a failed job, so a caller can continue it immediately. Abandons it after too many failures. */
async function recordFailure({ db, now, log }: App, retry: Retry): Promise<void> {
  const [job] = await db.orm
    .update(parserRetry)
    .set({ failures: sql`${parserRetry.failures} + 1`, leasedUntil: now() })
    .where(keyEquals(retry))
    .returning({ failures: parserRetry.failures });
  if (job === undefined || job.failures < MAX_FAILURES) return;
  await db.orm.delete(parserRetry).where(keyEquals(retry));
  log.error('A retry of parsers was abandoned.', { ...retry, failures: job.failures });
}

/** Continues a job whose lease has ended, unless another process already has. */
export async function continueRetry(app: App, { identifier }: Retry): Promise<void> {
  const retry = await takeOver(app, sql`identifier = ${identifier}`);
  if (retry !== undefined) await runRetry(app, retry);
}

async function takeOver({ db, now }: App, where: SQL): Promise<Retry | undefined> {
  const { rows } = await db.orm.execute<{ organization: string; identifier: string }>(sql`
    update ${parserRetry} set leased_until = ${leaseEnd(now()).toISOString()}::timestamptz
     where (organization, identifier) in (
       select organization, identifier from ${parserRetry}
        where leased_until <= ${now().toISOString()}::timestamptz and ${where}
        order by leased_until limit 1 for update skip locked)
    returning organization, identifier`);
  return rows[0];
}
