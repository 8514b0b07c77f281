import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import {
  type UpdateDeviceNote_Request,
  UpdateDeviceNote_RequestSchema,
  type UpdateDeviceNote_Response,
  UpdateDeviceNote_ResponseSchema,
} from '#proto/gen/hiber/device_note_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { deviceNote } from '#server/db/schema/device-note.ts';
import { deviceNoteFile } from '#server/domains/data/file/schema.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument, notFound } from '#server/wire/errors.ts';

import { lockDevice } from './device.ts';
import { MAX_NOTE_CHARACTERS } from './limits.ts';
import { type NoteRow, presentNotes } from './present.ts';
import { readMessage } from './text.ts';

/** Replaces the text of a note. The old text joins the history, unless the texts are the same. */
export async function updateNote(
  app: App,
  caller: Scope,
  request: UpdateDeviceNote_Request,
): Promise<UpdateDeviceNote_Response> {
  const { update } = request;
  if (!update) throw invalidArgument('update is missing. It contains the new text.');
  const [updatedDeviceNote] = await app.db.transaction(async (tx) => {
    const number = await lockDevice(tx, caller, request.device);
    const key = and(
      eq(deviceNote.organization, caller.organization),
      eq(deviceNote.number, number),
      eq(deviceNote.id, Number(request.noteId)),
    );
    const [note] = await tx.select().from(deviceNote).where(key);
    if (!note) throw notFound(`Device ${number} has no note ${request.noteId}.`);
    const message = readMessage(update.updatedMessage, await hasFiles(tx, note));
    if (message === note.message) return presentNotes(tx, [note]);
    checkLength(note, message);
    const rows = await tx
      .update(deviceNote)
      .set({
        message,
        messageHistory: sql`array_append(${deviceNote.messageHistory}, ${deviceNote.message})`,
        lastUpdatedAt: app.now(),
      })
      .where(key)
      .returning();
    return presentNotes(tx, rows);
  });
  return create(UpdateDeviceNote_ResponseSchema, {
    ...(updatedDeviceNote ? { updatedDeviceNote } : {}),
    request: create(UpdateDeviceNote_RequestSchema, { ...request, organization: caller.organization }),
  });
}

function checkLength(note: NoteRow, newMessage: string): void {
  const length = [...note.messageHistory, note.message, newMessage].reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_NOTE_CHARACTERS) {
    throw failedPrecondition(
      `Note ${note.id} of device ${note.number} has too many earlier texts. ` +
        `With the new text, they would have ${length} characters, and at most ${MAX_NOTE_CHARACTERS} are kept. ` +
        'Add a new note instead.',
    );
  }
}

async function hasFiles(tx: Tx, { organization, number, id }: NoteRow): Promise<boolean> {
  const where = and(
    eq(deviceNoteFile.organization, organization),
    eq(deviceNoteFile.number, number),
    eq(deviceNoteFile.note, id),
  );
  return (await tx.$count(deviceNoteFile, where)) > 0;
}
