import { type SQL, sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import type { StoredParsedBody } from '#server/db/schema/message.ts';
import { latestValue, value } from '#server/db/schema/value.ts';

import type { ExtractedValue } from './extract.ts';
import type { ParserOutcome, ParserSuccess } from './parse.ts';

/** A stored message with the outcomes of its parsers. */
export interface ParsedMessage {
  readonly id: number;
  readonly number: string;
  readonly outcomes: readonly ParserOutcome[];
  readonly location?: { readonly latitude: number; readonly longitude: number } | undefined;
}

export const isSuccess = (outcome: ParserOutcome): outcome is ParserSuccess => 'result' in outcome;

/** Converts the outcomes to the form that a message stores. */
export const storedOutcomes = (outcomes: readonly ParserOutcome[]): StoredParsedBody[] =>
  parsedBodies(outcomes, ({ result, sealedResult: sealed }) => (sealed === undefined ? { result } : { sealed }));

/** Returns the outcomes without encrypted fields, for events. */
export const plainOutcomes = (outcomes: readonly ParserOutcome[]): StoredParsedBody[] =>
  parsedBodies(outcomes, ({ plainResult: result }) => ({ result }));

/** Returns the outcomes with all fields, for a caller who may read them. */
export const readableOutcomes = (outcomes: readonly ParserOutcome[]): StoredParsedBody[] =>
  parsedBodies(outcomes, ({ result }) => ({ result }));

const parsedBodies = (
  outcomes: readonly ParserOutcome[],
  resultOf: (success: ParserSuccess) => Pick<StoredParsedBody, 'result' | 'sealed'>,
): StoredParsedBody[] =>
  outcomes.map((outcome) => {
    const { parser, name } = outcome;
    if (isSuccess(outcome)) return { parser, name, ...resultOf(outcome), measuredAt: outcome.measuredAt.getTime() };
    const { error, offset } = outcome;
    return { parser, name, error, ...(offset === undefined ? {} : { offset }) };
  });

interface StoreOptions {
  /** True if the messages have just been stored, so none of their values can exist; checking that takes time. */
  readonly areNew?: boolean;
}

/**
 * Stores the values of parsed messages, and the newest value of each field. What the values of a result or a field have
 * in common is sent only once.
 */
export async function storeValues(
  tx: Tx,
  organization: string,
  messages: readonly ParsedMessage[],
  { areNew = false }: StoreOptions = {},
): Promise<void> {
  const results = messages.flatMap(({ id, number, outcomes, location }) =>
    outcomes
      .filter(isSuccess)
      .flatMap((outcome) =>
        outcome.values.length === 0 ? [] : { number, message: id, ...outcome, location: outcome.location ?? location },
      ),
  );
  if (results.length === 0) return;
  const { kinds, values } = groupByKind(results.map((result) => result.values));
  const resultColumn = <T>(read: (result: (typeof results)[number]) => T) => sql.param(results.map(read));
  const kindColumn = <T>(read: (kind: ExtractedValue) => T) => sql.param(kinds.map(read));
  const column = <T>(read: (row: (typeof values)[number]) => T) => sql.param(values.map(read));
  await executePrepared(
    tx,
    sql`
    with fresh as materialized (
      select ${COLUMNS} from unnest(
          ${column(({ result }) => result)}::int[], ${column(({ kind }) => kind)}::int[],
          ${column(({ numeric }) => numeric)}::float8[], ${column(({ text }) => text)}::text[]
        ) as item (result, kind, numeric, text)
        join unnest(
          ${resultColumn(({ number }) => number)}::text[], ${resultColumn((result) => result.measuredAt.toISOString())}::timestamptz[],
          ${resultColumn(({ message }) => message)}::bigint[], ${resultColumn(({ parser }) => parser)}::text[],
          ${resultColumn(({ location }) => location?.latitude)}::float8[],
          ${resultColumn(({ location }) => location?.longitude)}::float8[]
        ) with ordinality as result (number, time, message, parser, latitude, longitude, index)
          on item.result = result.index
        join unnest(
          ${kindColumn(({ field }) => field)}::text[], ${kindColumn(({ type }) => type)}::int[],
          ${kindColumn(({ numericType }) => numericType)}::int[], ${kindColumn(({ unit }) => unit)}::int[],
          ${kindColumn(({ operational }) => operational)}::bool[], ${kindColumn(({ sealed = false }) => sealed)}::bool[]
        ) with ordinality as kind (field, type, numeric_type, unit, operational, sealed, index)
          on item.kind = kind.index
    ), stored as (
      insert into ${value} (organization, ${COLUMNS}) select ${organization}, ${COLUMNS} from fresh
        ${sql.raw(areNew ? '' : 'on conflict do nothing')}
    )
    ${upsertLatest(organization, sql`fresh`)}`,
  );
}

/** A value with the numbers of its result and its kind, which start at 1. */
interface NumberedValue extends Pick<ExtractedValue, 'numeric' | 'text'> {
  readonly result: number;
  readonly kind: number;
}

/** Numbers the values of results, and the kinds of values, which share all but their content. */
function groupByKind(results: readonly (readonly ExtractedValue[])[]) {
  const kinds: ExtractedValue[] = [];
  const numbers = new Map<string, number>();
  const values = results.flatMap((items, index) =>
    items.map((item): NumberedValue => {
      const { field, type, numericType, unit, operational, sealed = false, numeric, text } = item;
      const key = `${type}/${numericType}/${unit}/${operational}/${sealed}/${field}`;
      const kind = numbers.get(key) ?? kinds.push(item);
      numbers.set(key, kind);
      return { result: index + 1, kind, numeric, text };
    }),
  );
  return { kinds, values };
}

const COLUMNS = sql.raw(
  'number, time, field, message, parser, type, numeric_type, unit, numeric, text, operational, sealed, latitude, longitude',
);

/** Updates the newest values from rows with {@link COLUMNS}; values that arrive late do not replace newer ones. */
const upsertLatest = (organization: string, rows: SQL): SQL => sql`
  insert into ${latestValue} as latest (organization, ${COLUMNS})
  select distinct on (number, field, operational) ${organization}, ${COLUMNS} from ${rows} as fresh
   order by number, field, operational, time desc, message desc
  on conflict (organization, number, field, operational) do update set
    time = excluded.time, message = excluded.message, parser = excluded.parser, type = excluded.type,
    numeric_type = excluded.numeric_type, unit = excluded.unit, numeric = excluded.numeric, text = excluded.text,
    sealed = excluded.sealed, latitude = excluded.latitude, longitude = excluded.longitude
   where (excluded.time, excluded.message) >= (latest.time, latest.message)`;

/** The values of a message that a parser produced earlier. */
export interface FormerValues {
  readonly number: string;
  readonly message: number;
  readonly parser: string;
  readonly measuredAt: Date;
}

/** A field of a device whose newest value was deleted. */
interface DeletedLatest extends Record<string, unknown> {
  readonly number: string;
  readonly field: string;
  readonly operational: boolean;
}

/**
 * Deletes the values of earlier results.
 *
 * @returns the fields whose newest value was among them, for {@link restoreLatest} once the new values are stored
 */
export async function deleteValues(
  tx: Tx,
  organization: string,
  formerRows: readonly FormerValues[],
): Promise<DeletedLatest[]> {
  if (formerRows.length === 0) return [];
  const column = <T>(read: (row: FormerValues) => T) => sql.param(formerRows.map(read));
  const deleteFrom = (table: SQL) => sql`
    delete from ${table} as stored using unnest(
        ${column(({ number }) => number)}::text[], ${column(({ message }) => message)}::bigint[],
        ${column(({ parser }) => parser)}::text[], ${column(({ measuredAt }) => measuredAt.toISOString())}::timestamptz[]
      ) as former (number, message, parser, time)
     where stored.organization = ${organization} and stored.number = former.number and stored.time = former.time
       and stored.message = former.message and stored.parser = former.parser`;
  await tx.execute(deleteFrom(sql`${value}`));
  const { rows } = await tx.execute<DeletedLatest>(
    sql`${deleteFrom(sql`${latestValue}`)} returning stored.number, stored.field, stored.operational`,
  );
  return rows;
}

/** Looks up the newest values of fields again. */
export async function restoreLatest(tx: Tx, organization: string, deleted: readonly DeletedLatest[]): Promise<void> {
  if (deleted.length === 0) return;
  await tx.execute(
    upsertLatest(
      organization,
      sql`(select newest.* from unnest(${sql.param(deleted.map(({ number }) => number))}::text[],
          ${sql.param(deleted.map(({ field }) => field))}::text[],
          ${sql.param(deleted.map(({ operational }) => operational))}::bool[]) as lost (number, field, operational)
        cross join lateral (
          select ${COLUMNS} from ${value}
           where organization = ${organization} and number = lost.number and field = lost.field
             and operational = lost.operational
           order by time desc, message desc limit 1
        ) as newest)`,
    ),
  );
}
