import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import type { TimeRangeInit } from '#commands/model/time.ts';
import { loadPersonNames } from '#commands/nouns/people/user/entity.ts';
import { loadAllPages, loadInChunks } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { DeviceNote, DeviceNoteSelection_Sort as SortEnum } from '#proto/gen/hiber/device_note_pb.ts';
import type { File } from '#proto/gen/hiber/file_pb.ts';

import { organizationIdOf, type Device } from '../item.ts';

/** A note with the names of its author and its files. */
export interface NoteItem {
  readonly note: DeviceNote;
  /** The user's id if the name isn't known, so notes by different people don't look as if one person wrote them. */
  readonly author: string | Message;
  readonly files: readonly NoteFile[];
}

/** A file of a note. It is named by its identifier if its name isn't known. */
export interface NoteFile {
  readonly identifier: string;
  readonly name: string;
  /** Absent if the file no longer exists, or if the server doesn't list files. */
  readonly file?: File | undefined;
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
  const [authors, files] = await Promise.all([
    loadPersonNames(
      context,
      notes.map(({ author }) => author),
    ),
    loadFiles(context, item, notes),
  ]);
  return notes.map((note) => ({
    note,
    author: authors.get(note.author) ?? message('device:noteAuthor', { id: note.author }),
    files: note.files.map((identifier) => {
      const file = files.get(identifier);
      return { identifier, name: file?.name || identifier, file };
    }),
  }));
}

/** Loads the files of all notes of a device. */
export async function loadNoteFiles(context: Context, item: Device): Promise<readonly File[]> {
  return [...(await loadFiles(context, item, await loadAllNotes(context, item))).values()];
}

/** Returns the notes' files by identifier. Files that no longer exist are missing. */
async function loadFiles(
  context: Context,
  item: Device,
  notes: readonly DeviceNote[],
): Promise<ReadonlyMap<string, File>> {
  const identifiers = new Set(notes.flatMap(({ files }) => files));
  const files = new Map(
    item.modem.files.flatMap((file) => (identifiers.has(file.identifier) ? [[file.identifier, file] as const] : [])),
  );
  const missing = [...identifiers].filter((identifier) => !files.has(identifier));
  if (missing.length === 0) return files;
  const { FileService } = await import('#proto/gen/hiber/file_pb.ts');
  try {
    const found = await loadInChunks(missing, (chunk) =>
      loadAllPages(async (pagination) => {
        const request = { organization: organizationIdOf(item), selection: { identifiers: [...chunk] }, pagination };
        const response = await context.api(FileService).list(request, { signal: context.signal });
        return { items: response.files, pagination: response.pagination };
      }),
    );
    for (const file of found) files.set(file.identifier, file);
  } catch (error) {
    // Other servers may not list files. The identifiers are shown instead.
    if (!isUnimplemented(error)) throw error;
  }
  return files;
}
