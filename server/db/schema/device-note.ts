import { sql } from 'drizzle-orm';
import { doublePrecision, foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { id, identifier, instant, readableText } from './columns.ts';
import { device } from './device.ts';

/** The log of a device (contract: DeviceNoteService), which is separate from its `notes`. Notes are never deleted. */
export const deviceNote = pgTable(
  'device_note',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    /** Unique for a device. Starts at 1. */
    id: id().notNull(),
    message: text().notNull(),
    /** The earlier texts, oldest first. */
    messageHistory: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    time: instant().notNull(),
    lastUpdatedAt: instant(),
    /** A user id. Not a foreign key, because a note outlives its author's account. */
    author: identifier().notNull(),
    guide: readableText(),
    step: readableText(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
  },
  (table) => [
    primaryKey({ name: 'device_note_pk', columns: [table.organization, table.number, table.id] }),
    foreignKey({
      name: 'device_note_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('device_note_by_time').on(table.organization, table.number, table.time, table.id),
  ],
);
