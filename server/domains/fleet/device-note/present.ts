import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { type DeviceNote, DeviceNoteSchema } from '#proto/gen/hiber/device_note_pb.ts';
import type { Executor } from '#server/db/database.ts';
import type { deviceNote } from '#server/db/schema/device-note.ts';
import { deviceNoteFile } from '#server/domains/data/file/schema.ts';
import { presentLocation, presentTimestamp } from '#server/wire/present.ts';

export type NoteRow = typeof deviceNote.$inferSelect;

/** Presents the notes of one device in the given order, with the identifiers of their files. */
export async function presentNotes(db: Executor, rows: readonly NoteRow[]): Promise<DeviceNote[]> {
  const files = await loadFiles(db, rows);
  return rows.map((row) => presentNote(row, files.get(row.id) ?? []));
}

function presentNote(row: NoteRow, files: string[]): DeviceNote {
  const { latitude, longitude } = row;
  return create(DeviceNoteSchema, {
    device: row.number,
    noteId: BigInt(row.id),
    message: row.message,
    messageHistory: row.messageHistory,
    time: presentTimestamp(row.time),
    author: row.author,
    files,
    ...(row.lastUpdatedAt ? { lastUpdatedAt: presentTimestamp(row.lastUpdatedAt) } : {}),
    ...(row.guide === null ? {} : { guide: row.guide }),
    ...(row.step === null ? {} : { step: row.step }),
    ...(latitude === null || longitude === null ? {} : { location: presentLocation({ latitude, longitude }) }),
  });
}

/** Loads the identifiers of the notes' files by note, in the order in which they were added. */
async function loadFiles(db: Executor, rows: readonly NoteRow[]): Promise<ReadonlyMap<number, string[]>> {
  const [first] = rows;
  if (!first) return new Map();
  const { organization, number } = first;
  const ids = rows.map(({ id }) => id);
  const links = await db
    .select({ note: deviceNoteFile.note, files: sql<string[]>`array_agg(file order by position)` })
    .from(deviceNoteFile)
    .where(sql`organization = ${organization} and number = ${number} and note = any(${sql.param(ids)}::bigint[])`)
    .groupBy(deviceNoteFile.note);
  return new Map(links.map(({ note, files }) => [note, files]));
}
