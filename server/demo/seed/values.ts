import { sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { createPayload, familyOf } from '#server/demo/simulator/payload.ts';

import type { DeviceRow } from './fleet.ts';
import type { SeededParsers } from './parsers.ts';

const HOUR_MS = 3_600_000;
/** The interval between a device's values before its first stored message. */
const HISTORY_INTERVAL_MS = 8 * HOUR_MS;
/**
 * The maximum number of values in the history. In a larger fleet, the remaining devices have only the values from their
 * messages.
 */
const MAX_HISTORY_VALUES = 100_000;
/** The number of values per statement. */
const BATCH_SIZE = 20_000;

const COLUMNS = sql.raw(
  'organization, number, time, field, message, parser, type, numeric_type, unit, numeric, text, operational, latitude, longitude',
);

/** Stores the values of the seeded messages from their results, without parsing them again. */
export async function insertMessageValues(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into value (${COLUMNS})
    select m.organization, m.number, m.sent_at, f.field, m.id, f.parser, f.type, f.numeric_type, f.unit,
      case when f.numeric_type is not null then (result ->> f.field)::float8 end,
      case when f.numeric_type is null then result ->> f.field end, f.operational, m.latitude, m.longitude
    from message m
    cross join lateral (select m.parsed -> 0 -> 'result' as result, m.parsed -> 0 ->> 'parser' as parser) as parsed
    join parser_field f on f.parser = parsed.parser
    where parsed.result is not null`);
}

/** Stores the newest value of each field. */
export async function insertLatestValues(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into latest_value (${COLUMNS})
    select distinct on (organization, number, field, operational) ${COLUMNS} from value
     order by organization, number, field, operational, time desc, message desc`);
}

/**
 * Stores values for the time between `since` and each device's first stored message, as if their messages had been
 * deleted. They continue the signal of the stored messages, but at a longer interval.
 */
export async function insertHistory(
  tx: Tx,
  { byFamily, fields }: SeededParsers,
  devices: readonly DeviceRow[],
  firstMessageAt: ReadonlyMap<string, Date>,
  since: Date,
): Promise<void> {
  let batch: { organization: string; number: string; time: string; field: number; text: string }[] = [];
  let storedCount = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    storedCount += batch.length;
    const column = (read: (row: (typeof batch)[number]) => string | number) => sql.param(batch.map(read));
    const fieldColumn = <T>(read: (field: SeededParsers['fields'][number]) => T) => sql.param(fields.map(read));
    await tx.execute(sql`
      insert into value (${COLUMNS})
      select v.organization, v.number, v.time, f.field, 0, f.parser, f.type, f.numeric_type, f.unit,
        case when f.numeric_type is not null then v.text::float8 end, case when f.numeric_type is null then v.text end,
        false, d.latitude, d.longitude
      from unnest(${column(({ organization }) => organization)}::text[], ${column(({ number }) => number)}::text[],
        ${column(({ time }) => time)}::timestamptz[], ${column(({ field }) => field)}::int[],
        ${column(({ text }) => text)}::text[]) as v (organization, number, time, field, text)
      join unnest(${fieldColumn(({ field }) => field)}::text[], ${fieldColumn(({ parser }) => parser)}::text[],
        ${fieldColumn(({ type }) => type)}::int[], ${fieldColumn(({ numericType }) => numericType)}::int[],
        ${fieldColumn(({ unit }) => unit)}::int[])
        with ordinality as f (field, parser, type, numeric_type, unit, position) on f.position = v.field + 1
      join device d on d.organization = v.organization and d.number = v.number`);
    batch = [];
  };
  for (const { organization, number, metadata } of devices) {
    if (storedCount >= MAX_HISTORY_VALUES) break;
    const family = familyOf(metadata['profile']);
    const first = firstMessageAt.get(number);
    if (family === undefined || first === undefined) continue;
    const parser = byFamily[family].identifier;
    const recordedFields = fields.flatMap((field, index) =>
      field.parser === parser && field.operational !== true ? [{ index, path: field.field }] : [],
    );
    for (let time = first.getTime() - HISTORY_INTERVAL_MS; time > since.getTime(); time -= HISTORY_INTERVAL_MS) {
      const { result } = createPayload({ number, profile: family }, new Date(time));
      if (result === undefined) continue;
      for (const { index, path } of recordedFields) {
        const iso = new Date(time).toISOString();
        batch.push({ organization, number, time: iso, field: index, text: String(result[path]) });
      }
    }
    if (batch.length >= BATCH_SIZE) await flush();
  }
  await flush();
}
