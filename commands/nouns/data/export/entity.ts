import { create } from '@bufbuild/protobuf';

import { findExactMatches, findMatches } from '#commands/kit/matching.ts';
import { remoteByIds } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { loadPersonNames } from '#commands/nouns/people/user/entity.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages, loadWindow, type ListResponse } from '#commands/run/paging.ts';
import {
  ExportSchema,
  ExportSelectionSchema,
  ExportService,
  type ExportSelection,
} from '#proto/gen/hiber/export_pb.ts';
import {
  ExportProgressService,
  type ListProgressResponse_Progress as Progress,
} from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';

import { expiredFilter, exportAttributes } from './attributes.ts';
import { type ExportItem, isProcessing, levelOf, statusLabels } from './item.ts';

/** Loads exports with the names of their requesters and, if the server reports it, their progress. */
function load(context: Context, selection: ExportSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<ExportItem>> => {
    const { organization, signal } = context;
    const response = await context
      .api(ExportService)
      .list({ organization: organization.id, selection, pagination, useProcessPointInConfiguration: true }, { signal });
    const [requesters, progress] = await Promise.all([
      loadPersonNames(
        context,
        response.exports.map(({ requestedBy }) => requestedBy),
      ),
      loadProgress(
        context,
        response.exports.map(({ identifier }) => identifier),
      ),
    ]);
    const items = response.exports.map((item) => ({
      export: item,
      requester: requesters.get(item.requestedBy),
      progress: progress.get(item.identifier),
    }));
    return { items, pagination: response.pagination };
  };
}

async function loadProgress(
  { api, organization, signal }: Context,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, Progress>> {
  if (identifiers.length === 0) return new Map();
  try {
    const request = { organization: organization.id, identifiers: [...identifiers] };
    const { progress } = await api(ExportProgressService).listProgress(request, { signal });
    return new Map(progress.map((item) => [item.identifier, item]));
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    return new Map();
  }
}

/** The contract can't search for names. */
const loadAll = (context: Context) =>
  loadAllPages(load(context, create(ExportSelectionSchema, { includeExpired: true })));

const identifiersOf = ({ export: { identifier, name } }: ExportItem): readonly string[] => [identifier, name];

export const dataExport: Entity<ExportItem, ExportSelection> = entity({
  name: 'export',
  plural: 'exports',
  requires: 'EXPORT',
  screen: { path: '/settings/exports', key: 'g e', tabs: SETTINGS },
  views: [
    { id: 'all', filter: '' },
    { id: 'expired', filter: 'expired:true' },
  ],
  example: { name: 'Messages for the monthly report' },
  id: ({ export: { identifier } }) => identifier,
  label: ({ export: { name, identifier } }) => name || identifier,
  detail: ({ export: { status } }) => statusLabels.text(status),
  level: levelOf,
  isPending: isProcessing,
  json: (item, toJson) => toJson(ExportSchema, item.export),
  isId: () => false,
  toId: (text) => text.trim(),
  list: (context, { selection }, window) => loadWindow(window, load(context, selection)),
  byIds: remoteByIds(load, (ids) => create(ExportSelectionSchema, { identifiers: [...ids], includeExpired: true })),
  find: async (context, text) => findExactMatches(await loadAll(context), text.trim().replace(/^#/, ''), identifiersOf),
  search: async (context, text, limit) =>
    (await findMatches(await loadAll(context), text, ({ export: { name } }) => name)).slice(0, limit),
  emptySelection: () => create(ExportSelectionSchema),
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: { ...exportAttributes.filter, ...expiredFilter },
  states: { expired: { filter: 'expired:true' } },
  idKey: 'id',
  sorts: [],
  emptyHint: true,
  otherAddCommands: ['export.create-values'],
  columns: exportAttributes.columns,
  details: exportAttributes.details,
  changedBy: ['EXPORT_CREATED', 'EXPORT_READY', 'EXPORT_FAILED'],
});

export { dataExport as entity };
