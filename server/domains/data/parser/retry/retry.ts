import { create } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';

import {
  type RetryModemMessageBodyParsing_Request,
  type RetryModemMessageBodyParsing_Response,
  RetryModemMessageBodyParsing_ResponseSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { newIdentifier } from '#server/db/ids.ts';
import { keyRowsIn } from '#server/db/key-rows.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { device } from '#server/db/schema/device.ts';
import { message, type StoredParsedBody } from '#server/db/schema/message.ts';
import { parser } from '#server/db/schema/parser.ts';
import { assignedParsers } from '#server/domains/data/parser/model/assigned.ts';
import { parserNotFound, parserWhere, usableBy } from '#server/domains/data/parser/model/find.ts';
import { parserRetry, parserRetryDevice } from '#server/domains/data/parser/schema.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { presentParsedBody } from '#server/domains/fleet/message/parsed.ts';
import { MAX_BATCH_RESULTS } from '#server/parsing/workers/limits.mjs';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument, notFound, describeMissing } from '#server/wire/errors.ts';

import { continueRetry, leaseEnd, type Retry, runRetry } from './job.ts';

/**
 * Parses messages again with the parsers that are assigned now, within the selection. Their earlier results and values
 * are replaced. The work is a stored job, so it's completed even if the caller hangs up or the server is killed.
 */
export async function retryParsing(
  app: App,
  caller: Scope,
  request: RetryModemMessageBodyParsing_Request,
): Promise<RetryModemMessageBodyParsing_Response> {
  const ids = [...new Set(request.modemMessageIds.map(Number))];
  if (ids.length === 0) throw invalidArgument('Specify the messages to parse again.');
  const messages = await findMessages(app, caller, ids);
  await requireParsers(app, caller.organization, request.parserSelection?.identifiers ?? []);
  const retry = await startRetry(app, caller.organization, request, messages);
  const response = new ResponseResults();
  const collect = (results: readonly StoredParsedBody[]): void => {
    // Results reveal messages, as with Test.
    if (caller.can('MODEM_MESSAGES')) response.add(results);
  };
  if (retry !== undefined) await runToCompletion(() => runRetry(app, retry, collect));
  return create(RetryModemMessageBodyParsing_ResponseSchema, {
    parsedMessages: response.bodies.map(presentParsedBody),
  });
}

/** The results in a response. Anything after the first 16 MiB is left out because responses have a maximum size. */
class ResponseResults {
  readonly bodies: StoredParsedBody[] = [];
  #characters = 0;

  add(results: readonly StoredParsedBody[]): void {
    for (const body of results) {
      if (this.#characters < MAX_BATCH_RESULTS) this.#characters += JSON.stringify(body).length;
      const { parser: identifier, name } = body;
      const leftOut = 'The result is stored. It is left out here, because the response would be too large.';
      this.bodies.push(this.#characters < MAX_BATCH_RESULTS ? body : { parser: identifier, name, error: leftOut });
    }
  }
}

type Request = RetryModemMessageBodyParsing_Request;

interface MessageKey {
  readonly id: number;
  readonly number: string;
}

/** Finds messages of visible devices, in the order in which they were sent. */
async function findMessages(app: App, caller: Scope, ids: readonly number[]): Promise<MessageKey[]> {
  const rows = await app.db.orm
    .select({ id: message.id, number: message.number })
    .from(message)
    .innerJoin(device, and(eq(device.organization, message.organization), eq(device.number, message.number)))
    .where(
      and(eq(message.organization, caller.organization), anyOf(message.id, ids), visibleDevices(deviceScope(caller))),
    )
    .orderBy(asc(message.sentAt), asc(message.id));
  const existingIds = new Set(rows.map(({ id }) => id));
  const missingIds = ids.filter((id) => !existingIds.has(id));
  if (missingIds.length > 0)
    throw notFound(
      `${caller.organization} has ${describeMissing('message with id', missingIds, 'messages with ids')}.`,
    );
  return rows;
}

/** @throws ConnectError NOT_FOUND if the organization can't use one of the parsers */
async function requireParsers(app: App, organization: string, identifiers: readonly string[]): Promise<void> {
  if (identifiers.length === 0) return;
  const rows = await app.db.orm
    .select({ identifier: parser.identifier })
    .from(parser)
    .where(and(usableBy(organization), anyOf(parser.identifier, [...identifiers])));
  const usable = new Set(rows.map(({ identifier }) => identifier));
  const missing = identifiers.filter((identifier) => !usable.has(identifier));
  if (missing.length > 0) throw parserNotFound(organization, missing);
}

/** Thrown if a device still belongs to an unfinished job, which failed or whose process was killed. */
class UnfinishedRetryError extends Error {
  override name = 'UnfinishedRetryError';
  readonly retry: Retry;

  constructor(retry: Retry) {
    super(`The retry ${retry.identifier} isn't finished.`);
    this.retry = retry;
  }
}

/** Stores the job, after finishing any earlier jobs for its devices. */
async function startRetry(app: App, organization: string, ...rest: [Request, readonly MessageKey[]]) {
  for (;;) {
    try {
      return await app.db.transaction((tx) => createRetry(tx, app.now(), organization, ...rest));
    } catch (error) {
      if (!(error instanceof UnfinishedRetryError)) throw error;
      await runToCompletion(() => continueRetry(app, error.retry));
    }
  }
}

/**
 * Stores the job, with the parsers that apply to each device.
 *
 * @returns undefined if no parser applies to any of the devices
 * @throws ConnectError FAILED_PRECONDITION if another job applies one of the parsers to one of the devices
 * @throws UnfinishedRetryError if that job failed, or its process was killed
 */
async function createRetry(
  tx: Tx,
  now: Date,
  organization: string,
  { parserSelection, suppressEvents }: Request,
  messages: readonly MessageKey[],
): Promise<Retry | undefined> {
  const numbers = [...new Set(messages.map(({ number }) => number))];
  const { rows } = await tx.execute<{ number: string; parser: string }>(sql`
    select link.number, link.parser
      from (${assignedParsers(keyRowsIn(organization, numbers))}) as link
      join ${parser} on ${parser.organization} = link.owner and ${parser.identifier} = link.parser
     where ${parserWhere(organization, parserSelection)} order by link.number, link.parser`);
  if (rows.length === 0) return undefined;
  const identifier = newIdentifier('retry');
  const parsedNumbers = new Set(rows.map(({ number }) => number));
  await tx.insert(parserRetry).values({
    organization,
    identifier,
    messages: messages.flatMap(({ id, number }) => (parsedNumbers.has(number) ? [id] : [])),
    suppressEvents,
    leasedUntil: leaseEnd(now),
  });
  const columns = [rows.map(({ number }) => number), rows.map((row) => row.parser)] as const;
  const { rowCount } = await tx.execute(sql`
    insert into ${parserRetryDevice} (organization, number, parser, retry)
    select ${organization}, number, parser, ${identifier}
      from unnest(${sql.param(columns[0])}::text[], ${sql.param(columns[1])}::text[]) as applied (number, parser)
    on conflict do nothing`);
  if (rowCount !== rows.length) throw await createAlreadyRunningError(tx, now, { organization, identifier }, columns);
  return { organization, identifier };
}

/** Creates the error for a device whose messages another job is already parsing again, with that job's progress. */
async function createAlreadyRunningError(
  tx: Tx,
  now: Date,
  { organization, identifier }: Retry,
  [numbers, parsers]: readonly [string[], string[]],
) {
  const { rows } = await tx.execute<{
    number: string;
    identifier: string;
    done: number;
    total: number;
    unfinished: boolean;
  }>(sql`
    select claim.number, running.identifier, running.done, cardinality(running.messages) as total,
      running.leased_until <= ${now.toISOString()}::timestamptz as unfinished
      from unnest(${sql.param(numbers)}::text[], ${sql.param(parsers)}::text[]) as applied (number, parser)
      join ${parserRetryDevice} as claim on claim.organization = ${organization} and claim.number = applied.number
       and claim.parser = applied.parser and claim.retry <> ${identifier}
      join ${parserRetry} as running on running.organization = claim.organization and running.identifier = claim.retry
     order by unfinished, claim.number limit 1`);
  const [first] = rows;
  if (first?.unfinished) return new UnfinishedRetryError({ organization, identifier: first.identifier });
  const progress = first === undefined ? '' : `: ${first.done} of ${first.total} are done`;
  return failedPrecondition(
    `Messages of ${first?.number ?? 'a device'} are already being parsed again${progress}. Try again once it has finished.`,
  );
}
