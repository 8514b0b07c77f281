import { and, eq, sql } from 'drizzle-orm';

import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message, type StoredParsedBody } from '#server/db/schema/message.ts';
import type { ParserOutcome } from '#server/domains/data/parser/pipeline/parse.ts';
import {
  deleteValues,
  type FormerValues,
  isSuccess,
  restoreLatest,
  storedOutcomes,
  storeValues,
} from '#server/domains/data/parser/pipeline/store.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { messageBodyParsed } from '#server/domains/fleet/message/events.ts';
import { recordEvents } from '#server/events/record.ts';

/** A stored message with its new outcomes. */
export interface Retried {
  readonly id: number;
  readonly receivedAt: Date;
  readonly number: string;
  readonly sentAt: Date;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly outcomes: readonly ParserOutcome[];
}

/** Replaces the results and values of the parsers that were applied again, and records events. */
export async function storeAgain(
  tx: Tx,
  organization: string,
  retried: readonly Retried[],
  { now, suppressEvents }: { readonly now: Date; readonly suppressEvents: boolean },
): Promise<void> {
  const rowsWithOutcomes = retried.filter(({ outcomes }) => outcomes.length > 0);
  if (rowsWithOutcomes.length === 0) return;
  const numbers = [...new Set(rowsWithOutcomes.map(({ number }) => number))].toSorted();
  await tx
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, organization), anyOf(device.number, numbers)))
    .orderBy(device.number)
    .for('update');
  // Read after locking because a retry with other parsers may have replaced its results.
  const before = await readParsed(tx, organization, rowsWithOutcomes);
  const replacedValues = rowsWithOutcomes.flatMap((row) => formerValues(row, before.get(row.id) ?? []));
  const deletedValues = await deleteValues(tx, organization, replacedValues);
  const column = <T>(read: (row: Retried) => T) => sql.param(rowsWithOutcomes.map(read));
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
    rowsWithOutcomes.map(({ latitude, longitude, ...row }) => ({
      ...row,
      location: latitude === null || longitude === null ? undefined : { latitude, longitude },
    })),
  );
  await restoreLatest(tx, organization, deletedValues);
  if (suppressEvents) return;
  const subjects = await loadDeviceSubjects(tx, organization, numbers);
  await recordEvents(
    tx,
    rowsWithOutcomes.flatMap((row) => {
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

/** Replaces the results of the parsers that were applied again, and keeps all others. */
function mergeOutcomes(
  before: readonly StoredParsedBody[],
  outcomes: readonly ParserOutcome[],
): readonly StoredParsedBody[] {
  const parsers = new Set(outcomes.map(({ parser }) => parser));
  return [...before.filter(({ parser }) => !parsers.has(parser)), ...storedOutcomes(outcomes)];
}
