import { create } from '@bufbuild/protobuf';
import { and, eq, max } from 'drizzle-orm';

import {
  type AddDeviceNote,
  type AddDeviceNote_Request,
  AddDeviceNote_RequestSchema,
  type AddDeviceNote_Response,
  AddDeviceNote_ResponseSchema,
} from '#proto/gen/hiber/device_note_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { readLocation } from '#server/db/locations.ts';
import { deviceNote } from '#server/db/schema/device-note.ts';
import { deviceNoteFile } from '#server/domains/data/file/schema.ts';
import { requireFiles } from '#server/domains/data/file/store.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import { lockDevice } from './device.ts';
import { MAX_NOTE_FILES, MAX_NOTES_PER_CALL } from './limits.ts';
import { presentNotes } from './present.ts';
import { readMessage, readName } from './text.ts';

/** Adds all the notes, or none of them if one is invalid. Their author is the caller, or the owner of the token. */
export async function addNotes(
  app: App,
  caller: Scope,
  request: AddDeviceNote_Request,
): Promise<AddDeviceNote_Response> {
  const now = app.now();
  const count = request.notes.length;
  if (count === 0) throw invalidArgument('notes is empty. Add at least one note.');
  if (count > MAX_NOTES_PER_CALL) {
    throw invalidArgument(`A call can add at most ${MAX_NOTES_PER_CALL} notes, not ${count}. Use several calls.`);
  }
  const notes = request.notes.map((note, index) => readNote(note, `notes[${index}]`, now));
  const deviceNotes = await app.db.transaction(async (tx) => {
    const number = await lockDevice(tx, caller, request.device);
    await requireFiles(tx, caller.organization, [...new Set(notes.flatMap(({ files }) => files))], now);
    const lastId = await findLastId(tx, caller.organization, number);
    const key = (index: number) => ({ organization: caller.organization, number, id: lastId + 1 + index });
    const rows = await tx
      .insert(deviceNote)
      .values(notes.map(({ columns }, index) => ({ ...columns, ...key(index), author: caller.session.user.id })))
      .returning();
    const links = notes.flatMap(({ files }, index) => {
      const { id: note, ...deviceKey } = key(index);
      return files.map((file, position) => ({ ...deviceKey, note, file, position }));
    });
    if (links.length > 0) await tx.insert(deviceNoteFile).values(links);
    return presentNotes(
      tx,
      rows.toSorted((a, b) => a.id - b.id),
    );
  });
  return create(AddDeviceNote_ResponseSchema, {
    deviceNote: deviceNotes,
    request: create(AddDeviceNote_RequestSchema, { ...request, organization: caller.organization }),
  });
}

function readNote({ message, time, guide, step, files, location }: AddDeviceNote, field: string, now: Date) {
  const fileIds = [...new Set(files)];
  if (fileIds.length > MAX_NOTE_FILES) {
    throw invalidArgument(`${field}.files has ${fileIds.length} files. A note can have at most ${MAX_NOTE_FILES}.`);
  }
  const columns = {
    message: readMessage(message, fileIds.length > 0),
    time: readTimestamp(time, now, `${field}.time`) ?? now,
    guide: readName(guide, 'The name of a guide'),
    step: readName(step, 'The name of a step'),
    ...(location ? readLocation(location, `${field}.location`) : {}),
  };
  return { columns, files: fileIds };
}

/** Returns the id of the device's last note, or 0. Notes are never deleted, so ids aren't reused. */
async function findLastId(tx: Tx, organization: string, number: string): Promise<number> {
  const [row] = await tx
    .select({ id: max(deviceNote.id) })
    .from(deviceNote)
    .where(and(eq(deviceNote.organization, organization), eq(deviceNote.number, number)));
  return row?.id ?? 0;
}
