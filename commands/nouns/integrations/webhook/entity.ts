import { create } from '@bufbuild/protobuf';

import { addTerm, stripIdPrefix, isTrue } from '#commands/kit/filter-keys.ts';
import { findExactMatches } from '#commands/kit/matching.ts';
import { listFindMany, remoteByIds, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { tag, findTagIds } from '#commands/nouns/fleet/tag/entity.ts';
import { suggestTagNames, loadTagNames } from '#commands/nouns/fleet/tag/list.ts';
import { loadPersonNames } from '#commands/nouns/people/user/entity.ts';
import { DEVELOPER_TOOLS } from '#commands/nouns/tab-groups.ts';
import { readId } from '#commands/run/integers.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { Filter_TagsSchema, Filter_WebhooksSchema } from '#proto/gen/hiber/filter_pb.ts';
import { TagSelectionSchema, type Tag } from '#proto/gen/hiber/tag_pb.ts';
import {
  ListWebhooksRequest_Sort,
  WebhookSchema,
  WebhookSelectionSchema,
  WebhookService,
  type Webhook,
  type WebhookSelection,
} from '#proto/gen/hiber/webhook_pb.ts';

import { webhookAttributes } from './attributes.ts';
import { history } from './history.ts';
import { levelOf, type WebhookItem } from './item.ts';

const Sort = ListWebhooksRequest_Sort;

/**
 * Each sort's ascending form and, if the contract has one, its descending form. Health can only be sorted
 * unhealthy-first.
 */
const sorts: Readonly<Record<string, readonly [ListWebhooksRequest_Sort, ListWebhooksRequest_Sort?]>> = {
  id: [Sort.DEFAULT, Sort.ID_DESC],
  description: [Sort.DESCRIPTION, Sort.DESCRIPTION_DESC],
  url: [Sort.URL, Sort.URL_DESC],
  unhealthy: [Sort.HEALTH],
};

function sortBy(name: string): ListWebhooksRequest_Sort {
  const [ascending, descending] = sorts[name.replace(/^-/, '')]!;
  const sort = name.startsWith('-') ? descending : ascending;
  if (sort === undefined) throw new CommandError(message('common:filter.sortOneWay', { sort: name.slice(1) }));
  return sort;
}

/** Adds tag and creator names because webhooks have only their ids. */
async function addNames(context: Context, webhooks: readonly Webhook[]): Promise<readonly WebhookItem[]> {
  const ids = new Set(
    webhooks.flatMap(({ filters }) => [...(filters?.tags?.include ?? []), ...(filters?.tags?.exclude ?? [])]),
  );
  const [tagItems, creators] = await Promise.all([
    ids.size > 0 ? tag.byIds(context, [...ids].map(String)) : [],
    loadPersonNames(
      context,
      webhooks.map(({ createdBy }) => createdBy),
    ),
  ]);
  const tags = new Map(tagItems.map((item) => [item.tag.id, item.tag]));
  const tagsOf = (tagIds: readonly bigint[] = []): readonly Tag[] => tagIds.flatMap((id) => tags.get(id) ?? []);
  return webhooks.map((webhook) => ({
    webhook,
    creator: creators.get(webhook.createdBy),
    filterTags: tagsOf(webhook.filters?.tags?.include),
    excludedTags: tagsOf(webhook.filters?.tags?.exclude),
  }));
}

function load(context: Context, selection: WebhookSelection, sort: readonly string[] = []) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<WebhookItem>> => {
    const request = { organization: context.organization.id, selection, pagination, sort: sort.map(sortBy) };
    const response = await context.api(WebhookService).list(request, { signal: context.signal });
    return { items: await addNames(context, response.webhooks), pagination: response.pagination };
  };
}

const selectAllWebhooks = (): WebhookSelection => create(WebhookSelectionSchema);

type Key = FilterKey<WebhookSelection>;

const tagKey: Key = {
  kind: 'name',
  entity: () => tag,
  negates: true,
  presence: true,
  allValues: loadTagNames,
  suggest: suggestTagNames,
  apply: async (selection, term, context) => {
    const tags = (selection.tags ??= create(TagSelectionSchema));
    addTerm((tags.filter ??= create(Filter_TagsSchema)), await findTagIds(term, context), term);
  },
};

/** The contract can exclude disabled webhooks, but can't select only disabled webhooks. */
const activeKey: Key = {
  kind: 'flag',
  apply: (selection, term) => {
    if (!isTrue(term)) throw new CommandError(message('webhook:filter.onlyActive'));
    (selection.webhooks ??= create(Filter_WebhooksSchema)).onlyActive = true;
  },
};

export const webhook: Entity<WebhookItem, WebhookSelection> = entity({
  name: 'webhook',
  plural: 'webhooks',
  requires: 'PUBLISHERS',
  screen: {
    path: '/developer-tools/webhooks',
    rail: { icon: 'webhook', group: 'developer', forGroup: true },
    key: 'g w',
    tabs: DEVELOPER_TOOLS,
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'failing', filter: 'health:WARNING,ERROR sort:unhealthy' },
    { id: 'active', filter: 'active:true' },
  ],
  example: { name: 'Production historian' },
  id: (item) => `${item.webhook.id}`,
  label: (item) => item.webhook.description || item.webhook.data?.url || `#${item.webhook.id}`,
  detail: (item) => item.webhook.data?.url,
  level: levelOf,
  json: (item, toJson) => toJson(WebhookSchema, item.webhook),
  isId: (text) => /^#?\d+$/.test(text.trim()),
  numbered: true,
  toId: (text) => text.trim().replace(/^#/, ''),
  ...remoteList({
    load,
    searchSelection: (search) => create(WebhookSelectionSchema, search ? { search: stripIdPrefix(search) } : {}),
  }),
  byIds: remoteByIds(load, (ids) => create(WebhookSelectionSchema, { webhooks: { include: ids.map(readId) } })),
  find: async (context, text) => {
    const query = text.trim();
    if (/^#\d+$/.test(query)) return webhook.byIds(context, [query.slice(1)]);
    const webhooks = await loadAllPages(load(context, selectAllWebhooks()));
    return findExactMatches(webhooks, query, ({ webhook: { id, description, data } }) => [
      `${id}`,
      description,
      data?.url ?? '',
    ]);
  },
  findMany: listFindMany({
    load: (context) => load(context, selectAllWebhooks()),
    identifiers: [({ webhook: { id, description, data } }) => [`${id}`, description, data?.url ?? '']],
  }),
  emptySelection: selectAllWebhooks,
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: { ...webhookAttributes.filter, tag: tagKey, active: activeKey },
  states: {
    untagged: { filter: '-tag:*' },
    enabled: { filter: 'active:true' },
    disabled: { message: message('webhook:filter.onlyActive') },
  },
  idKey: 'id',
  sorts: Object.keys(sorts),
  defaultSort: 'id',
  otherAddCommands: ['webhook.import'],
  emptyHint: true,
  columns: webhookAttributes.columns,
  details: webhookAttributes.details,
  detailTabs: [history],
  changedBy: [
    'PUBLISHER_CREATED',
    'PUBLISHER_UPDATED',
    'PUBLISHER_DELETED',
    'PUBLISHER_FAILED',
    'PUBLISHER_AUTO_DISABLED',
  ],
});

export { webhook as entity };
