import { toJson } from '@bufbuild/protobuf';

import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import { DeviceNoteSchema } from '#proto/gen/hiber/device_note_pb.ts';

import { device } from '../entity.ts';
import type { Device } from '../item.ts';
import { loadNotePage, nameNotes, PAGE_SIZE, type NoteItem, type NoteQuery } from './note.ts';
import { noteColumns, noteParams, noteQuery, notesTab } from './tab.ts';

const DEFAULT_LIMIT = 100;

/** Opens a device's log in the console's panel, or prints it in the CLI. */
export const showNotes = command({
  id: 'device.notes',
  word: 'notes',
  requires: 'VIEW_DEVICES',
  effect: 'navigate',
  params: {
    device: required(p.ref(() => device)),
    ...noteParams,
    limit: p.number({ integer: true, min: 1, max: 10_000, fallback: DEFAULT_LIMIT }),
  },
  positional: ['device', 'search'],
  run: async (context, { device: item, search, period, sort, limit = DEFAULT_LIMIT }) => {
    const filterValues: Args = {
      ...(search ? { search } : {}),
      ...(period ? { period } : {}),
      ...(sort ? { sort } : {}),
    };
    const { output } = context.host;
    if (output) {
      const rows = await loadFirstNotes(context, item, noteQuery(filterValues, context), limit);
      const json = rows.map(({ note }) => toJson(DeviceNoteSchema, note));
      output.rows({ columns: noteColumns, rows, json });
    } else requireCapability(context, 'panel').open(device.name, device.id(item), notesTab.id, filterValues);
    return {};
  },
});

async function loadFirstNotes(
  context: Context,
  item: Device,
  query: NoteQuery,
  limit: number,
): Promise<readonly NoteItem[]> {
  const items: NoteItem[] = [];
  for (let page = 0; items.length < limit; page++) {
    context.signal.throwIfAborted();
    const { notes } = await loadNotePage(context, item, query, page);
    items.push(...(await nameNotes(context, item, notes)));
    if (notes.length < PAGE_SIZE) break;
  }
  return items.slice(0, limit);
}
