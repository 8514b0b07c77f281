import { create } from '@bufbuild/protobuf';
import { and, asc, desc, eq, gte, lte, or, type SQL, sql } from 'drizzle-orm';

import {
  type DeviceNoteSelection,
  DeviceNoteSelection_Sort as Sort,
  type ListDeviceNotes_Request,
  ListDeviceNotes_RequestSchema,
  type ListDeviceNotes_Response,
  ListDeviceNotes_ResponseSchema,
} from '#proto/gen/hiber/device_note_pb.ts';
import type { App } from '#server/app/app.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { deviceNote } from '#server/db/schema/device-note.ts';
import { deviceNoteFile } from '#server/domains/data/file/schema.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

import { requireDevice } from './device.ts';
import { MAX_NOTES_PER_PAGE } from './limits.ts';
import { presentNotes } from './present.ts';

/** Lists a page of a device's notes. */
export async function listNotes(
  app: App,
  caller: Scope,
  request: ListDeviceNotes_Request,
): Promise<ListDeviceNotes_Response> {
  const { orm } = app.db;
  const { selection } = request;
  if (!selection?.device) throw invalidArgument('selection.device is missing. Notes are listed for one device.');
  const number = await requireDevice(orm, caller, selection.device);
  const requestedPage = readPage(request.pagination, { max: MAX_NOTES_PER_PAGE });
  const where = and(
    eq(deviceNote.organization, caller.organization),
    eq(deviceNote.number, number),
    matchesSelection(selection, app.now()),
  );
  const page = orm
    .select()
    .from(deviceNote)
    .where(where)
    .orderBy(...noteOrder(request.sort))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const [deviceNotes, total] = await Promise.all([
    page.then((rows) => presentNotes(orm, rows)),
    orm.$count(deviceNote, where),
  ]);
  return create(ListDeviceNotes_ResponseSchema, {
    deviceNotes,
    request: create(ListDeviceNotes_RequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total),
  });
}

function matchesSelection({ search = '', timeRange }: DeviceNoteSelection, now: Date): SQL | undefined {
  const { start, end } = readTimeRange(timeRange, now, 'selection.time_range');
  const words = [...new Set(search.split(/\s+/).filter(Boolean))];
  return and(start && gte(deviceNote.time, start), end && lte(deviceNote.time, end), ...words.map(containsWord));
}

/** Requires a word in any of the searched fields, so several words can be in different ones. */
function containsWord(word: string): SQL | undefined {
  const pattern = substringPattern(word);
  const { message, author, guide, step } = deviceNote;
  return or(
    ...[message, author, guide, step].map((column) => sql`${column} ilike ${pattern}`),
    sql`exists (
      select from ${deviceNoteFile} as link
       where link.organization = ${deviceNote.organization} and link.number = ${deviceNote.number}
         and link.note = ${deviceNote.id} and link.file ilike ${pattern})`,
  );
}

/** Notes of the same time keep the order in which they were added. */
const oldestFirst: readonly SQL[] = [asc(deviceNote.time), asc(deviceNote.id)];
const newestFirst: readonly SQL[] = [desc(deviceNote.time), desc(deviceNote.id)];

function noteOrder(sort: Sort): readonly SQL[] {
  switch (sort) {
    case Sort.NEWEST_FIRST:
      return newestFirst;
    case Sort.LAST_UPDATED:
      return [sql`${deviceNote.lastUpdatedAt} desc nulls last`, ...newestFirst];
    case Sort.GUIDE_STEPS:
      return guideOrder();
    default:
      return oldestFirst;
  }
}

/**
 * Puts each guide where its oldest note is, and notes without a guide around them. Within a guide, notes without a step
 * come first.
 */
function guideOrder(): readonly SQL[] {
  const { guide, id, step, time } = deviceNote;
  const oldestOf = (column: typeof time | typeof id): SQL =>
    sql`case when ${guide} is null then ${column}
      else first_value(${column}) over (partition by ${guide} order by ${time}, ${id}) end`;
  return [oldestOf(time), oldestOf(id), sql`${naturalOrder(step)} nulls first`, ...oldestFirst];
}
