import { send, type SendOptions } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { succeededResults, type Outcome } from '#commands/model/result.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { DeviceNote } from '#proto/gen/hiber/device_note_pb.ts';

import { device } from '../entity.ts';
import { organizationIdOf, type Device } from '../item.ts';
import { loadFocusedNotes } from './focused-notes.ts';
import { loadAllNotes } from './note.ts';

/** Data of a run, for its inverse. */
interface EditedNote {
  readonly before: string;
}

const checkNumber = (text: string): Message | undefined =>
  /^[1-9]\d{0,14}$/.test(text.trim()) ? undefined : message('device:validation.noteNumber', { value: text });

async function suggestNotes(context: Context): Promise<readonly Suggestion[]> {
  const notes = await loadFocusedNotes(context);
  return notes.map(({ noteId, message: text }) => ({ value: `${noteId}`, label: `${noteId}`, detail: text }));
}

/**
 * Finds a note by its number. The contract has no call for a single note.
 *
 * @throws CommandError if the device has no such note
 */
async function findNote(context: Context, item: Device, number: string): Promise<DeviceNote> {
  const note = (await loadAllNotes(context, item)).find(({ noteId }) => `${noteId}` === number.trim());
  if (note) return note;
  throw new CommandError(message('device:validation.noNote', { note: number, label: device.label(item) }), 'note');
}

/** Replaces the text of a note. The former text stays in its history, and so does the one that undo replaces. */
export const editNote = command({
  id: 'device.edit-note',
  on: () => device,
  requires: 'MODEMS_UPDATE_NOTES',
  effect: 'write',
  params: {
    devices: p.many(() => device, { atMost: 1 }),
    note: required(p.text({ check: checkNumber, suggest: suggestNotes, placeholder: '3' })),
    text: required(p.text({ multiline: true, maxLength: MAX_LENGTH.notes, fromInput: true })),
  },
  positional: ['devices', 'note'],
  problems: (_context, { devices }) =>
    devices.items.length === 1 ? {} : { devices: message('device:validation.noteDevice') },
  initialParams: ['note'],
  initial: async (context, { devices, note }) => {
    const [item] = devices?.items ?? [];
    if (!item || note === undefined) return { values: {} };
    return { values: { text: (await findNote(context, item, note)).message } };
  },
  plan: async (context, { devices, note: number, text }) => {
    const item = devices.items[0]!;
    const { message: before } = await findNote(context, item, number);
    const label = device.label(item);
    const isUnchanged = before === text.trim();
    return {
      summary: message('device:plan.edit-note', { note: number, label }),
      count: isUnchanged ? 0 : 1,
      changes: isUnchanged
        ? []
        : [
            {
              id: device.id(item),
              label,
              field: message('device:noteName', { note: number }),
              before,
              after: text.trim(),
            },
          ],
      notes: [message('device:plan.noteHistory')],
      // An empty text, which a note with files can have, can't be entered again.
      reversible: before !== '',
    };
  },
  run: async (context, { devices, note: number, text }) => {
    const item = devices.items[0]!;
    const { noteId, message: before } = await findNote(context, item, number);
    const options: SendOptions<Device, string> = {
      organization: organizationIdOf,
      call: async (callContext, _items, updatedMessage) => {
        const { DeviceNoteService } = await import('#proto/gen/hiber/device_note_pb.ts');
        const request = { organization: callContext.organization, device: item.modem.number, noteId };
        await callContext
          .api(DeviceNoteService)
          .update({ ...request, update: { updatedMessage } }, { signal: callContext.signal });
      },
    };
    const { results } = await send(context, device, options, devices.items, text);
    const isEdited = succeededResults({ results }).length > 0;
    const data: EditedNote = { before };
    return {
      changed: [device.name],
      results,
      message: isEdited
        ? message('device:done.edit-note', { note: number, label: device.label(item) })
        : message('common:done.nothing'),
      data,
    };
  },
  inverse: ({ devices, note }, { data }: Outcome) => {
    const { before } = data as EditedNote;
    return [{ id: 'device.edit-note', args: { devices: { ids: devices.items.map(device.id) }, note, text: before } }];
  },
});
