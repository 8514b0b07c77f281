import { bulkAction } from '#commands/kit/bulk-action.ts';
import { locationParam, parsePoint } from '#commands/kit/location.ts';
import { uploadFile } from '#commands/kit/store-file.ts';
import type { Context } from '#commands/model/context.ts';
import { ANY_TYPE } from '#commands/model/files.ts';
import { p, required } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { toTimestamp } from '#commands/model/time.ts';
import { blockedWithout } from '#commands/run/availability.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { MAX_FILE_BYTES, MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import type { DeviceNote } from '#proto/gen/hiber/device_note_pb.ts';

import { device } from '../entity.ts';
import { organizationIdOf } from '../item.ts';
import { loadFocusedNotes } from './focused-notes.ts';

/** Suggests what the notes of the focused device already have, such as their guides. */
function suggestFrom(valueOf: (note: DeviceNote) => string | undefined) {
  return async (context: Context): Promise<readonly Suggestion[]> => {
    const values = new Set((await loadFocusedNotes(context)).map(valueOf));
    return [...values].flatMap((value) => (value ? [{ value, label: value }] : []));
  };
}

/** The maximum number of files to add to a note at once. The contract has no limit, and our server accepts 50. */
const MAX_FILES = 10;

/** Adds the same note to devices, one call per device. The contract can't delete notes. */
export const addNote = bulkAction({
  entity: device,
  verb: 'add-note',
  requires: 'MODEMS_UPDATE_NOTES',
  params: {
    text: required(p.text({ multiline: true, maxLength: MAX_LENGTH.notes, fromInput: true })),
    guide: p.text({ maxLength: MAX_LENGTH.guide, suggest: suggestFrom(({ guide }) => guide) }),
    step: p.text({ maxLength: MAX_LENGTH.guide, suggest: suggestFrom(({ step }) => step) }),
    time: p.time({ fallback: 'now', max: 'now' }),
    location: { ...locationParam, clears: false },
    files: p.files({
      accept: [ANY_TYPE],
      maxBytes: MAX_FILE_BYTES,
      atMost: MAX_FILES,
      blockedReason: blockedWithout('FILES_UPLOAD'),
    }),
  },
  positional: ['text'],
  problems: (_context, { guide, step }) => (step && !guide ? { guide: message('device:validation.stepGuide') } : {}),
  change: (_item, { text }) => ({ field: message('device:fields.note'), after: text.trim() }),
  notes: (_context, _items, { files = [] }) => {
    const names = files.map(({ name }) => name);
    return names.length === 0 ? [] : [message('device:plan.noteFiles', { names: names.join(', ') })];
  },
  organization: organizationIdOf,
  size: 1,
  // A note can only refer to stored files (contract: AddDeviceNote.files).
  prepare: async (context, items, { files = [] }) => {
    const organizations = [...new Set(items.map(organizationIdOf))];
    const identifiers: string[] = [];
    for (const file of files) identifiers.push(await uploadFile(context, organizations, file));
    return identifiers;
  },
  call: async (context, items, { text, guide, step, time = 'now', location }, files) => {
    const { DeviceNoteService } = await import('#proto/gen/hiber/device_note_pb.ts');
    const point = location ? parsePoint(location) : undefined;
    const note = {
      message: text,
      // The server's clock decides what now is.
      ...(time === 'now' ? {} : { time: toTimestamp(time, context.now(), firstDay(context.preferences)) }),
      ...(guide ? { guide } : {}),
      ...(step ? { step } : {}),
      ...(point ? { location: point } : {}),
      files: [...files],
    };
    const [item] = items;
    await context
      .api(DeviceNoteService)
      .add(
        { organization: context.organization, device: item?.modem.number ?? '', notes: [note] },
        { signal: context.signal },
      );
  },
});
