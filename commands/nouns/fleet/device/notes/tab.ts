import { imageLink } from '#commands/kit/file-item.ts';
import type { KindValues } from '#commands/model/arg-value.ts';
import type { Column, DetailPart } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { LogFile } from '#commands/model/log-entry.ts';
import { p } from '#commands/model/params.ts';
import { FIRST_PAGE, type TabFilter } from '#commands/model/tab-filter.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { textOf, toMs } from '#commands/model/wire.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { formatLocation } from '#commands/text/location.ts';
import { message } from '#commands/text/message.ts';

import type { Device } from '../item.ts';
import { loadNotePage, nameNotes, PAGE_SIZE, SORTS, type NoteItem, type NoteQuery, type NoteSort } from './note.ts';

/** The params that choose and sort the notes to show. */
export const noteParams = {
  search: p.text({ maxLength: MAX_LENGTH.search }),
  period: p.range({ partial: true }),
  sort: p.choice(SORTS, { label: (sort) => message(`device:noteSort.${sort}`), fallback: 'guide' }),
};

const filters: Readonly<Record<keyof typeof noteParams, TabFilter>> = {
  search: { label: message('device:labels.search'), param: noteParams.search },
  period: { label: message('device:labels.period'), param: noteParams.period },
  sort: { label: message('device:labels.sort'), param: noteParams.sort, sorts: true },
};

export function noteQuery(filterValues: Args, { now, preferences }: Context): NoteQuery {
  const { search, period, sort = 'guide' } = filterValues;
  const timeRange = period ? toTimeRange(period as KindValues['range'], now(), firstDay(preferences)) : undefined;
  return {
    sort: sort as NoteSort,
    ...(search ? { search: search as string } : {}),
    ...(timeRange ? { timeRange } : {}),
  };
}

const locationOf = ({ note: { location } }: NoteItem): string | undefined =>
  location && formatLocation(location.textual ?? `[${location.latitude},${location.longitude}]`);

/** The columns in a terminal, which has no log. */
export const noteColumns: readonly Column<NoteItem>[] = [
  { id: 'note', kind: 'number', width: 40, value: ({ note }) => `${note.noteId}` },
  {
    id: 'time',
    kind: 'time',
    width: 150,
    value: ({ note }) => textOf(note.time),
    time: ({ note }) => toMs(note.time),
  },
  { id: 'author', kind: 'text', width: 110, value: ({ author }) => author },
  { id: 'guide', kind: 'text', width: 110, value: ({ note }) => note.guide },
  { id: 'step', kind: 'text', width: 110, value: ({ note }) => note.step },
  {
    id: 'edited',
    kind: 'time',
    width: 150,
    value: ({ note }) => textOf(note.lastUpdatedAt),
    time: ({ note }) => toMs(note.lastUpdatedAt),
  },
  {
    id: 'files',
    kind: 'text',
    width: 110,
    value: ({ files }) => files.map(({ name }) => name).join(', ') || undefined,
  },
  { id: 'location', kind: 'mono', width: 110, value: locationOf },
  // Last, because the columns after a long text would be far away.
  { id: 'text', kind: 'text', width: 200, grow: 1, value: ({ note }) => note.message || undefined },
];

function partsOf(item: NoteItem): readonly DetailPart[] {
  const location = locationOf(item);
  return location ? [{ label: message('device:labels.location'), text: location }] : [];
}

/** The files of a note. A file that no longer exists can't be opened. */
const filesOf = ({ files }: NoteItem, number: string): readonly LogFile[] =>
  files.map(({ identifier, name, file }) => ({
    name,
    ...(file
      ? {
          image: imageLink(file),
          open: { id: 'device.download-file', args: { devices: { ids: [number] }, file: identifier } },
        }
      : {}),
  }));

/** The log of a device, which is separate from the text in its field `notes`. */
export const notesTab: DetailTab<Device> = {
  id: 'notes',
  add: ({ modem }) => ({ id: 'device.add-note', args: { devices: { ids: [modem.number] } } }),
  addsMore: true,
  columns: noteColumns,
  limit: PAGE_SIZE,
  pages: true,
  reloadInterval: 15,
  filters,
  load: async (context, item, { page, filterValues } = FIRST_PAGE) => {
    const { notes } = await loadNotePage(context, item, noteQuery(filterValues, context), page);
    return nameNotes(context, item, notes);
  },
  key: (row) => `${(row as NoteItem).note.noteId}`,
  entry: (row, { modem }) => {
    const item = row as NoteItem;
    const { noteId, message: text, messageHistory, time, lastUpdatedAt, guide, step } = item.note;
    const editedAt = toMs(lastUpdatedAt);
    return {
      name: message('device:noteName', { note: `${noteId}` }),
      author: item.author,
      time: toMs(time) ?? 0,
      text,
      ...(guide ? { group: guide } : {}),
      ...(step ? { section: step } : {}),
      earlierTexts: messageHistory,
      ...(editedAt === undefined ? {} : { editedAt }),
      parts: partsOf(item),
      files: filesOf(item, modem.number),
      edit: { id: 'device.edit-note', args: { devices: { ids: [modem.number] }, note: `${noteId}` } },
    };
  },
};
