import { type JsonObject, toJson } from '@bufbuild/protobuf';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';

import { MessageSchema } from '#proto/gen/hiber/message_pb.ts';
import { ValueContextSchema } from '#proto/gen/hiber/value_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { value } from '#server/db/schema/value.ts';
import { openValue } from '#server/domains/data/parser/model/sealed-value.ts';
import { createValuePresenter } from '#server/domains/data/value/present.ts';
import { loadDeviceTags } from '#server/domains/fleet/device/model/subject.ts';
import { openParsed } from '#server/domains/fleet/message/parsed.ts';
import { presentMessage } from '#server/domains/fleet/message/present.ts';
import { readUnitPreferences } from '#server/session/unit-preferences.ts';

import type { ExportContext } from './context.ts';
import { asInstant, exportedDevices } from './plan.ts';
import type { ExportRow } from './present.ts';
import { type Cursor, exportSegment } from './schema.ts';

/** The next rows of an export. */
export interface Batch {
  /** As JSON, with the names of the contract. */
  readonly rows: readonly JsonObject[];
  /** Where the next batch begins. */
  readonly segment: number;
  readonly cursor: Cursor | null;
  readonly isLast: boolean;
}

/** Reads the rows after the export's cursor, at most `limit`. */
export async function readBatch(app: ExportContext, tx: Tx, row: ExportRow, limit: number): Promise<Batch> {
  const last = await findLastSegment(tx, row, limit);
  if (last === undefined) return { rows: [], segment: row.segment, cursor: null, isLast: true };
  const found = await (row.kind === 'messages' ? readMessages : readValues)(app, tx, row, last.segment, limit);
  const end = found.at(-1);
  const rows = found.map(({ json }) => json).filter((json) => json !== undefined);
  // A batch that is not full has all rows of its segments, even if devices were deleted since they were counted.
  if (end === undefined || found.length < limit) {
    return { rows, segment: last.segment + 1, cursor: null, isLast: last.isEnd };
  }
  return { rows, segment: end.segment, cursor: end.cursor, isLast: false };
}

/** Finds the last of the segments that contain the next `limit` rows. Returns undefined if none are left. */
async function findLastSegment(tx: Tx, row: ExportRow, limit: number) {
  const isExport = sql`organization = ${row.organization} and export = ${row.identifier}`;
  const { rows } = await tx.execute<{ segment: number | null; end: number }>(sql`
    select max(position) filter (where rows_before < ${limit}) as segment,
        (select max(position) from ${exportSegment} where ${isExport}) as "end"
      from (
        -- The rest of the current segment may be a single row.
        select position, coalesce(sum(case when position = ${row.segment} then 0 else total end)
            over (order by position rows between unbounded preceding and 1 preceding), 0) as rows_before
          from (select position, total from ${exportSegment} where ${isExport} and position >= ${row.segment}
            order by position limit ${limit + 1}) as remaining
      ) as counted`);
  const [found] = rows;
  if (found === undefined || found.segment === null) return undefined;
  return { segment: found.segment, isEnd: found.segment === found.end };
}

interface FoundRow {
  readonly segment: number;
  readonly cursor: Cursor;
  /** Absent if its device or its process point is gone, or is now hidden from the requester. */
  readonly json: JsonObject | undefined;
}

type Read = (app: ExportContext, tx: Tx, row: ExportRow, lastSegment: number, limit: number) => Promise<FoundRow[]>;

const segments = (row: ExportRow, lastSegment: number): SQL => sql`
  ${exportSegment.organization} = ${row.organization} and ${exportSegment.export} = ${row.identifier}
    and ${exportSegment.position} between ${row.segment} and ${lastSegment}`;

/** Returns the part of a cursor in its segment; in later segments, a value before all rows. */
const after = ({ segment }: ExportRow, cursorValue: SQL, before: SQL): SQL =>
  sql`case when ${exportSegment.position} = ${segment} then ${cursorValue} else ${before} end`;

const toInstant = (time: number): SQL => asInstant(new Date(time));

/** By device, and then by the time sent. Leaves out messages that arrived after the export was requested. */
const readMessages: Read = async ({ secrets }, tx, row, lastSegment, limit) => {
  const { organization, cursor, rangeStart } = row;
  const next = tx
    .select()
    .from(message)
    .where(
      and(
        eq(message.organization, organization),
        eq(message.number, exportSegment.number),
        sql`${message.receivedAt} <= ${asInstant(row.createdAt)} and ${message.sentAt} <= ${asInstant(row.rangeEnd)}`,
        rangeStart === null ? undefined : sql`${message.sentAt} >= ${asInstant(rangeStart)}`,
        cursor === null
          ? undefined
          : sql`(${message.sentAt}, ${message.id}) > (${after(row, toInstant(cursor.time), sql`'-infinity'`)},
              ${after(row, sql`${cursor.message}::bigint`, sql`0`)})`,
      ),
    )
    .orderBy(asc(message.sentAt), asc(message.id))
    .limit(limit)
    .as('message');
  const found = await tx
    .select({ segment: exportSegment.position, row: message })
    .from(exportSegment)
    .innerJoinLateral(next, sql`true`)
    .where(segments(row, lastSegment))
    .orderBy(exportSegment.position, asc(message.sentAt), asc(message.id))
    .limit(limit);
  const numbers = [...new Set(found.map(({ row: { number } }) => number))];
  const devices = await loadDevices(tx, row, numbers);
  const tags = await loadDeviceTags(tx, organization, numbers);
  return found.map(({ segment, row: stored }) => {
    const position = { time: stored.sentAt.getTime(), message: stored.id, parser: '' };
    const details = devices.get(stored.number);
    if (details === undefined) return { segment, cursor: position, json: undefined };
    const parsed = openParsed(secrets, stored.parsed);
    const presented = presentMessage({ ...details, row: { ...stored, parsed } }, tags.get(stored.number) ?? []);
    const json = toJson(MessageSchema, presented, { alwaysEmitImplicit: true }) as JsonObject;
    return { segment, cursor: position, json };
  });
};

async function loadDevices(tx: Tx, row: ExportRow, numbers: readonly string[]) {
  const rows = await tx
    .select({ number: device.number, name: device.name, externalIds: device.externalIds, timeZone: device.timeZone })
    .from(device)
    .where(and(exportedDevices(row), anyOf(device.number, numbers)));
  return new Map(rows.map((found) => [found.number, found]));
}

/** By process point, device, and field, and then by time. */
const readValues: Read = async ({ secrets }, tx, row, lastSegment, limit) => {
  const { organization, cursor, rangeStart } = row;
  const next = tx
    .select()
    .from(value)
    .where(
      and(
        eq(value.organization, organization),
        eq(value.number, exportSegment.number),
        eq(value.field, exportSegment.field),
        eq(value.operational, false),
        sql`${value.time} >= ${exportSegment.since}
          and (${exportSegment.until} is null or ${value.time} < ${exportSegment.until})`,
        sql`${value.time} <= ${asInstant(row.rangeEnd)}`,
        rangeStart === null ? undefined : sql`${value.time} >= ${asInstant(rangeStart)}`,
        cursor === null
          ? undefined
          : sql`(${value.time}, ${value.message}, ${value.parser}) > (
              ${after(row, toInstant(cursor.time), sql`'-infinity'`)},
              ${after(row, sql`${cursor.message}::bigint`, sql`0`)}, ${after(row, sql`${cursor.parser}::text`, sql`''`)})`,
      ),
    )
    .orderBy(asc(value.time), asc(value.message), asc(value.parser))
    .limit(limit)
    .as('value');
  const found = await tx
    .select({ segment: exportSegment.position, point: exportSegment.point, row: value })
    .from(exportSegment)
    .innerJoinLateral(next, sql`true`)
    .where(segments(row, lastSegment))
    .orderBy(exportSegment.position, asc(value.time), asc(value.message), asc(value.parser))
    .limit(limit);
  const columns = found.map(({ point, row: stored }) =>
    openValue(secrets, {
      owner: point ?? '',
      number: stored.number,
      time: stored.time.getTime(),
      field: stored.field,
      parser: stored.parser,
      type: stored.type,
      numericType: stored.numericType,
      unit: stored.unit,
      numeric: stored.numeric,
      text: stored.text,
      sealed: stored.sealed,
    }),
  );
  const points = await tx
    .select({ identifier: processPoint.identifier, name: processPoint.name, type: processPoint.type })
    .from(processPoint)
    .where(
      and(
        eq(processPoint.organization, organization),
        anyOf(processPoint.identifier, [...new Set(columns.map(({ owner }) => owner))]),
      ),
    );
  const devices = await loadDevices(tx, row, [...new Set(columns.map(({ number }) => number))]);
  const existing = new Set(points.map(({ identifier }) => identifier));
  const criteria = { organization, owners: { points } };
  const presenter = await createValuePresenter(tx, criteria, columns, readUnitPreferences(row.units));
  return found.map(({ segment, row: stored }, index) => {
    const opened = columns[index] as (typeof columns)[number];
    const position = { time: opened.time, message: stored.message, parser: stored.parser };
    if (!devices.has(opened.number) || !existing.has(opened.owner)) {
      return { segment, cursor: position, json: undefined };
    }
    const context = presenter.context(opened, { case: 'value', value: presenter.value(opened) });
    const json = toJson(ValueContextSchema, context, { alwaysEmitImplicit: true }) as JsonObject;
    return { segment, cursor: position, json };
  });
};
