import { bulkAction } from '#commands/kit/bulk-action.ts';
import { locationParam, parsePoint } from '#commands/kit/location.ts';
import type { Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { toTimestamp } from '#commands/model/time.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
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
  },
  positional: ['text'],
  problems: (_context, { guide, step }) => (step && !guide ? { guide: message('device:validation.stepGuide') } : {}),
  change: (_item, { text }) => ({ field: message('device:fields.note'), after: text.trim() }),
  organization: organizationIdOf,
  size: 1,
  call: async (context, items, { text, guide, step, time = 'now', location }) => {
    const { DeviceNoteService } = await import('#proto/gen/hiber/device_note_pb.ts');
    const point = location ? parsePoint(location) : undefined;
    const note = {
      message: text,
      // The server's clock decides what now is.
      ...(time === 'now' ? {} : { time: toTimestamp(time, context.now(), firstDay(context.preferences)) }),
      ...(guide ? { guide } : {}),
      ...(step ? { step } : {}),
      ...(point ? { location: point } : {}),
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
