import { create, type JsonObject } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';

import {
  type RetryModemMessageBodyParsing_Request,
  type RetryModemMessageBodyParsing_Response,
  RetryModemMessageBodyParsing_ResponseSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message, type StoredParsedBody } from '#server/db/schema/message.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { messageBodyParsed } from '#server/domains/fleet/message/events.ts';
import { presentParsedBody } from '#server/domains/fleet/message/parsed.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';

import { parserWhere } from './model/find.ts';
import { type ParserOutcome, parseMessages } from './pipeline/parse.ts';
import {
  deleteValues,
  type FormerValues,
  isSuccess,
  restoreLatest,
  storedOutcomes,
  storeValues,
} from './pipeline/store.ts';

/** The number of messages that a transaction stores again, so that devices are not locked for long. */
const BATCH = 100;

/**
 * Parses messages again with the parsers that are assigned now, within the selection. Their earlier results and values
 * are replaced. Does so in batches: what an interrupted call has stored stays, and calling it again continues with the
 * same outcome. Concurrent retries of a device wait for each other, because each batch locks its devices.
 */
export async function retryParsing(
  app: App,
  caller: Scope,
  request: RetryModemMessageBodyParsing_Request,
): Promise<RetryModemMessageBodyParsing_Response> {
  const ids = [...new Set(request.modemMessageIds.map(Number))];
  if (ids.length === 0) throw invalidArgument('Specify the messages to parse again.');
  const messages = await loadMessages(app, caller, ids);
  const parsedMessages: StoredParsedBody[] = [];
  for (let start = 0; start < messages.length; start += BATCH) {
    const batch = messages.slice(start, start + BATCH);
    const only = parserWhere(caller.organization, request.parserSelection);
    const outcomes = await parseMessages(
      { db: app.db.orm, parsing: app.parsing },
      caller.organization,
      batch.map((row) => ({ ...row, metadata: row.metadata as JsonObject })),
      only,
    );
    const stored = batch.map((row, index) => ({ ...row, outcomes: outcomes[index] ?? [] }));
    await app.db.transaction((tx) => storeAgain(tx, app, caller, stored, request.suppressEvents));
    parsedMessages.push(...outcomes.flatMap(storedOutcomes));
  }
  return create(RetryModemMessageBodyParsing_ResponseSchema, {
    parsedMessages: parsedMessages.map(presentParsedBody),
  });
}

async function loadMessages(app: App, caller: Scope, ids: readonly number[]) {
  const rows = await app.db.orm
    .select({
      id: message.id,
      receivedAt: message.receivedAt,
      number: message.number,
      sentAt: message.sentAt,
      body: message.body,
      metadata: sql<Record<string, unknown>>`coalesce(${message.metadata}, '{}')`,
      latitude: message.latitude,
      longitude: message.longitude,
    })
    .from(message)
    .innerJoin(device, and(eq(device.organization, message.organization), eq(device.number, message.number)))
    .where(
      and(eq(message.organization, caller.organization), anyOf(message.id, ids), visibleDevices(deviceScope(caller))),
    )
    .orderBy(asc(message.sentAt), asc(message.id));
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw notFound(`${caller.organization} has no message with id ${summarizeList(missing)}.`);
  return rows;
}

type Retried = Awaited<ReturnType<typeof loadMessages>>[number] & { readonly outcomes: readonly ParserOutcome[] };

async function storeAgain(
  tx: Tx,
  app: App,
  { organization }: Scope,
  retried: readonly Retried[],
  suppressEvents: boolean,
): Promise<void> {
  const applied = retried.filter(({ outcomes }) => outcomes.length > 0);
  if (applied.length === 0) return;
  const numbers = [...new Set(applied.map(({ number }) => number))].toSorted();
  await tx
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, organization), anyOf(device.number, numbers)))
    .orderBy(device.number)
    .for('update');
  // Read after the lock: a concurrent retry may have replaced the results.
  const before = await readParsed(tx, organization, applied);
  const replaced = applied.flatMap((row) => formerValues(row, before.get(row.id) ?? []));
  const deleted = await deleteValues(tx, organization, replaced);
  const column = <T>(read: (row: Retried) => T) => sql.param(applied.map(read));
  await tx.execute(sql`
    update ${message} as stored set parsed = retried.parsed
      from unnest(${column(({ receivedAt }) => receivedAt.toISOString())}::timestamptz[], ${column(({ id }) => id)}::bigint[],
        ${column((row) => JSON.stringify(mergeOutcomes(before.get(row.id) ?? [], row.outcomes)))}::jsonb[])
        as retried (received_at, id, parsed)
     where stored.organization = ${organization} and stored.received_at = retried.received_at
       and stored.id = retried.id`);
  await storeValues(
    tx,
    organization,
    applied.map(({ latitude, longitude, ...row }) => ({
      ...row,
      location: latitude === null || longitude === null ? undefined : { latitude, longitude },
    })),
  );
  await restoreLatest(tx, organization, deleted);
  if (suppressEvents) return;
  const subjects = await loadDeviceSubjects(tx, organization, numbers);
  const now = app.now();
  await recordEvents(
    tx,
    applied.flatMap((row) => {
      const subject = subjects.get(row.number);
      if (subject === undefined) return [];
      return row.outcomes.filter(isSuccess).map((outcome) => messageBodyParsed(subject, now, row, outcome));
    }),
  );
}

async function readParsed(
  tx: Tx,
  organization: string,
  messages: readonly Retried[],
): Promise<Map<number, readonly StoredParsedBody[]>> {
  const rows = await tx
    .select({ id: message.id, parsed: message.parsed })
    .from(message)
    .where(
      and(
        eq(message.organization, organization),
        anyOf(
          message.id,
          messages.map(({ id }) => id),
        ),
      ),
    );
  return new Map(rows.map(({ id, parsed }) => [id, parsed ?? []]));
}

/** Returns the earlier values of the parsers that were applied again. */
function formerValues({ id, number, outcomes }: Retried, before: readonly StoredParsedBody[]): FormerValues[] {
  const parsers = new Set(outcomes.map(({ parser }) => parser));
  return before.flatMap(({ parser, measuredAt }) =>
    parsers.has(parser) && measuredAt !== undefined
      ? [{ number, message: id, parser, measuredAt: new Date(measuredAt) }]
      : [],
  );
}

/** Replaces the results of the parsers that were applied again, and keeps those of others. */
function mergeOutcomes(
  before: readonly StoredParsedBody[],
  outcomes: readonly ParserOutcome[],
): readonly StoredParsedBody[] {
  const parsers = new Set(outcomes.map(({ parser }) => parser));
  return [...before.filter(({ parser }) => !parsers.has(parser)), ...storedOutcomes(outcomes)];
}
