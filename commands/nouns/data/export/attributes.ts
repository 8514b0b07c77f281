import { attributes } from '#commands/kit/attributes.ts';
import { intersectValues, isTrue, valuesOf } from '#commands/kit/filter-keys.ts';
import type { ItemRef } from '#commands/model/column.ts';
import { textOf, toMs } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import { Export_Format_Type, type Export, type ExportSelection } from '#proto/gen/hiber/export_pb.ts';

import { contentOf, type ExportItem, formatLabels, isProcessing, isReady, levelOf, statusLabels } from './item.ts';

/** Links at most this many of the devices or process points. */
const MAX_LINKS = 20;

function progressText(item: ExportItem): Message | undefined {
  const { progress } = item;
  if (progress === undefined || (progress.rowsTotal === undefined && !isProcessing(item))) return undefined;
  const done = Number(progress.rowsDone);
  if (progress.rowsTotal === undefined) return message('export:counting');
  const total = Number(progress.rowsTotal);
  return done === total ? message('export:rows', { count: done }) : message('export:rowsOf', { done, total });
}

function itemLinks({ export: value }: ExportItem): readonly (ItemRef & { readonly name: string })[] {
  const { content, ids } = contentOf(value);
  const entity = content === 'messages' ? 'device' : 'process-point';
  return ids.slice(0, MAX_LINKS).map((id) => ({ entity, id, name: id }));
}

const bound = ({ configuration }: Export, end: 'start' | 'end') => configuration?.type.value?.timeRange?.[end];

export const exportAttributes = attributes<ExportItem, ExportSelection>({
  name: {
    kind: 'text',
    value: ({ export: { name } }) => name,
    column: { width: 200, grow: 2 },
    detail: 'identity',
  },
  status: {
    kind: 'status',
    value: ({ export: { status } }) => statusLabels.text(status),
    level: levelOf,
    column: { width: 100 },
    detail: 'state',
  },
  progress: { kind: 'text', value: progressText, column: { width: 130 }, detail: 'state' },
  readyAt: {
    kind: 'time',
    value: ({ progress }) => textOf(progress?.estimatedEnd),
    time: ({ progress }) => toMs(progress?.estimatedEnd),
    column: { width: 150, optional: true },
    detail: 'state',
  },
  error: {
    kind: 'text',
    value: ({ export: { error } }) => error || undefined,
    detail: { group: 'state', level: () => 'error' },
  },
  content: {
    kind: 'text',
    value: ({ export: value }) => message(`export:content.${contentOf(value).content}`),
    column: { width: 90 },
    detail: 'about',
  },
  items: {
    kind: 'text',
    value: ({ export: value }) => contentOf(value).ids.join(', ') || undefined,
    links: itemLinks,
    column: { width: 70, kind: 'number', value: ({ export: value }) => `${contentOf(value).ids.length}` },
    detail: 'about',
  },
  from: {
    kind: 'time',
    value: ({ export: value }) => textOf(bound(value, 'start')),
    time: ({ export: value }) => toMs(bound(value, 'start')),
    column: { width: 150, optional: true },
    detail: 'about',
  },
  to: {
    kind: 'time',
    value: ({ export: value }) => textOf(bound(value, 'end')),
    time: ({ export: value }) => toMs(bound(value, 'end')),
    column: { width: 150, optional: true },
    detail: 'about',
  },
  format: {
    kind: 'text',
    value: ({ export: { format } }) => formatLabels.text(format?.type ?? Export_Format_Type.DEFAULT),
    column: { width: 70 },
    detail: 'about',
  },
  columns: {
    kind: 'text',
    value: ({ export: { format } }) => columnNames(format).join(', ') || undefined,
    detail: 'about',
  },
  files: {
    kind: 'text',
    value: ({ export: { urls } }) => urls.map(({ name }) => name).join(', ') || undefined,
    column: {
      width: 60,
      kind: 'number',
      value: (item) => (isReady(item) ? `${item.export.urls.length}` : undefined),
    },
    detail: {
      group: 'state',
      opens: (item) => {
        const { identifier, urls } = item.export;
        if (!isReady(item)) return [];
        return urls.map(({ name }) => ({
          name,
          invocation: { id: 'export.download', args: { exports: { ids: [identifier] }, file: name } },
        }));
      },
    },
  },
  requestedBy: {
    kind: 'text',
    value: ({ export: { requestedBy }, requester }) =>
      requestedBy ? (requester ?? message('common:someone')) : undefined,
    links: ({ export: { requestedBy }, requester }) =>
      requester ? [{ entity: 'user', id: requestedBy, name: requester }] : [],
    column: { width: 130, grow: 1 },
    detail: 'owner',
  },
  created: {
    kind: 'time',
    value: ({ progress }) => textOf(progress?.createdAt),
    time: ({ progress }) => toMs(progress?.createdAt),
    column: { width: 150 },
    detail: 'owner',
  },
  expires: {
    kind: 'time',
    value: ({ export: { expiresAt } }) => textOf(expiresAt),
    time: ({ export: { expiresAt } }) => toMs(expiresAt),
    column: { width: 150 },
    detail: 'state',
  },
  id: {
    kind: 'mono',
    value: ({ export: { identifier } }) => identifier,
    column: { width: 230, optional: true },
    detail: 'about',
    filter: {
      kind: 'text',
      isSearched: true,
      apply: (selection, term) => {
        selection.identifiers = intersectValues(selection.identifiers, valuesOf(term), term.key);
      },
    },
  },
});

/** The contract can't select only expired exports. */
export const expiredFilter = {
  expired: {
    kind: 'flag' as const,
    apply: (selection: ExportSelection, term: Parameters<typeof isTrue>[0]) => {
      selection.includeExpired = isTrue(term);
    },
  },
};

function columnNames(format: Export['format']): readonly string[] {
  const settings = format?.configuration;
  if (settings?.case === 'csv') return settings.value.columns.map(({ name }) => name);
  return settings?.case === 'json' ? Object.keys(settings.value.customFields) : [];
}
