import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';

import { Export_Status } from '#proto/gen/hiber/export_pb.ts';
import { bytes, id, identifier, instant, readableText } from '#server/db/schema/columns.ts';
import { organization } from '#server/db/schema/organization.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';

/** The last exported row of a segment. */
export interface Cursor {
  /** In milliseconds since the epoch. */
  readonly time: number;
  /** The id of the message. */
  readonly message: number;
  /** For values: the parser. */
  readonly parser: string;
}

/** Exports, both finished ones and those in progress, which are jobs (`run.ts`). */
export const dataExport = pgTable(
  'data_export',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    name: readableText().notNull(),
    status: smallint().$type<Export_Status>().notNull(),
    kind: text().$type<'messages' | 'values'>().notNull(),
    /** The numbers of the devices, or the identifiers of the process points. */
    owners: text().array().notNull(),
    rangeStart: instant(),
    rangeEnd: instant().notNull(),
    /** The contract's Format, with the columns that it had at the time. */
    format: bytes().notNull(),
    /** In seconds. */
    expiresIn: integer().notNull(),
    requestedBy: identifier().notNull(),
    emailSubscribed: boolean().notNull(),
    /** The requester's UnitPreferences, as protobuf JSON. */
    units: jsonb().notNull(),
    /** True if it contains data of devices in lifecycles that are hidden from customers. */
    hidden: boolean().notNull(),
    createdAt: instant().notNull(),
    /** When the last of its files expires; absent until it is ready. */
    expiresAt: instant(),
    /** Absent unless it failed. */
    error: text(),
    /** When to export the next rows. */
    dueAt: instant().notNull(),
    /** Failed attempts since the last progress. */
    failures: integer().notNull().default(0),
    rowsDone: bigint({ mode: 'number' }).notNull().default(0),
    /** Absent until the segments are planned. */
    rowsTotal: bigint({ mode: 'number' }),
    /** The position of the current segment. */
    segment: integer().notNull().default(0),
    /** Absent at the start of a segment. */
    cursor: jsonb().$type<Cursor>(),
  },
  (table) => [
    primaryKey({ name: 'data_export_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'data_export_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('data_export_order').on(table.organization, table.createdAt, table.identifier),
    index('data_export_due')
      .on(table.organization, table.dueAt)
      .where(sql`${table.status} = ${sql.raw(String(Export_Status.PROCESSING))}`),
  ],
);

/** The parts of an export in progress whose rows are in the order of an index, so each batch is a range of it. */
export const exportSegment = pgTable(
  'export_segment',
  {
    organization: identifier().notNull(),
    export: identifier().notNull(),
    position: integer().notNull(),
    number: identifier().notNull(),
    /** For values: the process point, the field, and the period of the assignment. */
    point: identifier(),
    field: identifier(),
    since: instant(),
    until: instant(),
    /** The number of rows when the export began; more than 0. */
    total: id().notNull(),
  },
  (table) => [
    primaryKey({ name: 'export_segment_pk', columns: [table.organization, table.export, table.position] }),
    foreignKey({
      name: 'export_segment_export',
      columns: [table.organization, table.export],
      foreignColumns: [dataExport.organization, dataExport.identifier],
    }).onDelete('cascade'),
  ],
);

/** The files of exports. */
export const exportFile = pgTable(
  'export_file',
  {
    organization: identifier().notNull(),
    export: identifier().notNull(),
    index: integer().notNull(),
    /** The random part of the file's link. */
    key: identifier()
      .notNull()
      .default(sql`replace(gen_random_uuid()::text, '-', '')`),
    content: identifier().notNull(),
    rows: bigint({ mode: 'number' }).notNull().default(0),
    /** Absent until the export is ready. */
    expiresAt: instant(),
  },
  (table) => [
    primaryKey({ name: 'export_file_pk', columns: [table.organization, table.export, table.index] }),
    foreignKey({
      name: 'export_file_export',
      columns: [table.organization, table.export],
      foreignColumns: [dataExport.organization, dataExport.identifier],
    }).onDelete('cascade'),
    foreignKey({
      name: 'export_file_content',
      columns: [table.organization, table.content],
      foreignColumns: [fileContent.organization, fileContent.id],
    }).onDelete('cascade'),
    uniqueIndex('export_file_key').on(table.organization, table.key),
    index('export_file_by_content').on(table.organization, table.content),
    index('export_file_by_expiry').on(table.organization, table.expiresAt),
  ],
);
