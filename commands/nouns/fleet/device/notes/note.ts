import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import type { TimeRangeInit } from '#commands/model/time.ts';
import { loadPersonNames } from '#commands/nouns/people/user/entity.ts';
import { loadAllPages, loadInChunks } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { DeviceNote, DeviceNoteSelection_Sort as SortEnum } from '#proto/gen/hiber/device_note_pb.ts';

import { organizationIdOf, type Device } from '../item.ts';

/** A note with the names of its author and its files. */
export interface NoteItem {
  readonly note: DeviceNote;
  /** The user's id if the name isn't known, so notes by different people don't look as if one person wrote them. */
  readonly author: string | Message;
  /** A file is named by its identifier if its name isn't known. */
  readonly fileNames: readonly string[];
}

/** The order of notes, by its name in commands. `guide` keeps the notes of a guide together. */
export const SORTS = ['guide', 'oldest', 'newest', 'edited'] as const;
export type NoteSort = (typeof SORTS)[number];

const WIRE_SORTS = {
  guide: 'GUIDE_STEPS',
  oldest: 'OLDEST_FIRST',
  newest: 'NEWEST_FIRST',
  edited: 'LAST_UPDATED',
} as const satisfies Record<NoteSort, keyof typeof SortEnum>;

export interface NoteQuery {
  readonly sort: NoteSort;
  readonly search?: string;
  readonly timeRange?: TimeRangeInit;
}

/** Our server's maximum, so a whole log takes few calls. */
export const PAGE_SIZE = 100;

/** Loads a page of a device's notes. */
export async function loadNotePage(context: Context, item: Device, query: NoteQuery, page: number) {
  const { DeviceNoteService, DeviceNoteSelection_Sort } = await import('#proto/gen/hiber/device_note_pb.ts');
  const { sort, ...selection } = query;
  const { deviceNotes, pagination } = await context.api(DeviceNoteService).list(
    {
      organization: organizationIdOf(item),
      selection: { device: item.modem.number, ...selection },
      sort: DeviceNoteSelection_Sort[WIRE_SORTS[sort]],
      pagination: { page, size: PAGE_SIZE },
    },
    { signal: context.signal },
  );
  return { notes: deviceNotes, pagination };
}

/** Loads all notes of a device, oldest first. */
export async function loadAllNotes(context: Context, item: Device): Promise<readonly DeviceNote[]> {
  return loadAllPages(async ({ page = 0 }) => {
    const { notes, pagination } = await loadNotePage(context, item, { sort: 'oldest' }, page);
    return { items: notes, pagination };
  });
}

/** Adds the names of the authors and the files. */
export async function nameNotes(
  context: Context,
  item: Device,
  notes: readonly DeviceNote[],
): Promise<readonly NoteItem[]> {
  const [authors, fileNames] = await Promise.all([
    loadPersonNames(
      context,
      notes.map(({ author }) => author),
    ),
    loadFileNames(context, item, notes),
  ]);
  return notes.map((note) => ({
    note,
    author: authors.get(note.author) ?? message('device:noteAuthor', { id: note.author }),
    fileNames: note.files.map((id) => fileNames.get(id) ?? id),
  }));
}

/** Returns the names of the notes' files by identifier. Files that no longer exist are missing. */
async function loadFileNames(
  context: Context,
  item: Device,
  notes: readonly DeviceNote[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(item.modem.files.map(({ identifier, name }) => [identifier, name]));
  const unnamedFiles = [...new Set(notes.flatMap(({ files }) => files))].filter((id) => !names.has(id));
  if (unnamedFiles.length === 0) return names;
  const { FileService } = await import('#proto/gen/hiber/file_pb.ts');
  try {
    const files = await loadInChunks(unnamedFiles, (identifiers) =>
      loadAllPages(async (pagination) => {
        const request = {
          organization: organizationIdOf(item),
          selection: { identifiers: [...identifiers] },
          pagination,
        };
        const response = await context.api(FileService).list(request, { signal: context.signal });
        return { items: response.files, pagination: response.pagination };
      }),
    );
    for (const { identifier, name } of files) names.set(identifier, name);
  } catch (error) {
    // Other servers may not list files. The identifiers are shown instead.
    if (!isUnimplemented(error)) throw error;
  }
  return names;
}
