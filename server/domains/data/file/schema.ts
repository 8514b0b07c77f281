import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant, readableText } from '#server/db/schema/columns.ts';
import { deviceNote } from '#server/db/schema/device-note.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';

/**
 * The content of files and exports, in parts. A content is written before a file refers to it, and never changes
 * afterwards, so a download that began before its file was replaced can't mix two contents.
 */
export const fileContent = pgTable(
  'file_content',
  {
    organization: identifier().notNull(),
    id: identifier().notNull(),
    /** The sum of the sizes of its parts, in bytes. */
    size: bigint({ mode: 'number' }).notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** True for the content of an export, which belongs to no file, and doesn't count for their limit. */
    isExport: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ name: 'file_content_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'file_content_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** A part of a content. All parts except the last have the same size (`PART_BYTES`). */
export const filePart = pgTable(
  'file_part',
  {
    organization: identifier().notNull(),
    content: identifier().notNull(),
    index: integer().notNull(),
    data: bytes().notNull(),
  },
  (table) => [
    primaryKey({ name: 'file_part_pk', columns: [table.organization, table.content, table.index] }),
    foreignKey({
      name: 'file_part_content',
      columns: [table.organization, table.content],
      foreignColumns: [fileContent.organization, fileContent.id],
    }).onDelete('cascade'),
  ],
);

/** A file of tags, devices, process points, and notes, stored either here (`content`) or elsewhere (`url`). */
export const file = pgTable(
  'file',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    /** The random part of the file's link. It stays the same if the file is replaced. */
    key: identifier()
      .notNull()
      .default(sql`replace(gen_random_uuid()::text, '-', '')`),
    name: readableText().notNull(),
    mediaType: text().notNull(),
    content: identifier(),
    url: text(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant(),
    /** For a file uploaded for something that doesn't exist yet: deleted then, unless something refers to it. */
    draftUntil: instant(),
  },
  (table) => [
    primaryKey({ name: 'file_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'file_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'file_stored_content',
      columns: [table.organization, table.content],
      foreignColumns: [fileContent.organization, fileContent.id],
    }),
    uniqueIndex('file_key').on(table.organization, table.key),
    uniqueIndex('file_by_content').on(table.organization, table.content),
    index('file_by_expiry').on(table.organization, table.expiresAt),
  ],
);

export const deviceFile = pgTable(
  'device_file',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    file: identifier().notNull(),
  },
  (table) => [
    primaryKey({ name: 'device_file_pk', columns: [table.organization, table.number, table.file] }),
    foreignKey({
      name: 'device_file_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    foreignKey({
      name: 'device_file_file',
      columns: [table.organization, table.file],
      foreignColumns: [file.organization, file.identifier],
    }).onDelete('cascade'),
    index('device_file_by_file').on(table.organization, table.file),
  ],
);

export const tagFile = pgTable(
  'tag_file',
  {
    organization: identifier().notNull(),
    tag: id().notNull(),
    file: identifier().notNull(),
  },
  (table) => [
    primaryKey({ name: 'tag_file_pk', columns: [table.organization, table.tag, table.file] }),
    foreignKey({
      name: 'tag_file_tag',
      columns: [table.organization, table.tag],
      foreignColumns: [tag.organization, tag.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'tag_file_file',
      columns: [table.organization, table.file],
      foreignColumns: [file.organization, file.identifier],
    }).onDelete('cascade'),
    index('tag_file_by_file').on(table.organization, table.file),
  ],
);

export const processPointFile = pgTable(
  'process_point_file',
  {
    organization: identifier().notNull(),
    point: identifier().notNull(),
    file: identifier().notNull(),
  },
  (table) => [
    primaryKey({ name: 'process_point_file_pk', columns: [table.organization, table.point, table.file] }),
    foreignKey({
      name: 'process_point_file_point',
      columns: [table.organization, table.point],
      foreignColumns: [processPoint.organization, processPoint.identifier],
    }).onDelete('cascade'),
    foreignKey({
      name: 'process_point_file_file',
      columns: [table.organization, table.file],
      foreignColumns: [file.organization, file.identifier],
    }).onDelete('cascade'),
    index('process_point_file_by_file').on(table.organization, table.file),
  ],
);

export const deviceNoteFile = pgTable(
  'device_note_file',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    note: id().notNull(),
    file: identifier().notNull(),
    /** The place of the file among the note's files. */
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'device_note_file_pk',
      columns: [table.organization, table.number, table.note, table.file],
    }),
    foreignKey({
      name: 'device_note_file_note',
      columns: [table.organization, table.number, table.note],
      foreignColumns: [deviceNote.organization, deviceNote.number, deviceNote.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'device_note_file_file',
      columns: [table.organization, table.file],
      foreignColumns: [file.organization, file.identifier],
    }).onDelete('cascade'),
    index('device_note_file_by_file').on(table.organization, table.file),
  ],
);
