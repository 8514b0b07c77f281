import { toJson } from '@bufbuild/protobuf';

import { SupportService, VisitSchema, type Visit } from '#proto/quarterdeck/support/v1/support_service_pb';

import type { Context } from '../core/context.ts';
import { asLinks, entity, type Column, type Entity, type Fact } from '../core/entity.ts';
import { isTrue } from '../core/filter-keys.ts';
import { message } from '../core/message.ts';
import { windowOf, type Listed } from '../core/paging.ts';
import { msOf, textOf } from '../core/wire.ts';
import { calls } from './calls.ts';

interface Selection {
  search?: string;
  onlyChanges?: boolean;
  /** Visits to every organization: for support staff. */
  allOrganizations?: boolean;
}

function load(context: Context, selection: Selection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<Visit>> => {
    const request = { organization: context.organization.id, ...selection, pagination };
    const found = await context.api(SupportService).listVisits(request, { signal: context.signal });
    return { items: found.visits, pagination: found.pagination };
  };
}

/** Numbers are an organization's own, so that it takes both to name a visit. */
const idOf = ({ organization, id }: Visit): string => `${organization}:${id}`;
const ID = /^([a-z0-9_-]+):(\d+)$/;

async function byId(context: Context, id: string): Promise<readonly Visit[]> {
  const [, organization, number] = ID.exec(id) ?? [];
  if (organization === undefined || number === undefined) return [];
  const request = { organization, visitIds: [BigInt(number)] };
  return (await context.api(SupportService).listVisits(request, { signal: context.signal })).visits;
}

const whoOf = ({ userName, userEmail }: Visit): string => userName || userEmail;

const began: Fact<Visit> = {
  id: 'began',
  kind: 'time',
  group: 'period',
  value: ({ beganAt }) => textOf(beganAt),
  at: ({ beganAt }) => msOf(beganAt),
};
const ends: Fact<Visit> = {
  id: 'ends',
  kind: 'time',
  group: 'period',
  value: ({ endsAt }) => textOf(endsAt),
  at: ({ endsAt }) => msOf(endsAt),
};
const reach: Fact<Visit> = {
  id: 'reach',
  kind: 'status',
  group: 'state',
  value: ({ changesAllowedAt }) => message(changesAllowedAt ? 'visit:reach.changes' : 'visit:reach.reads'),
};

const columns: readonly Column<Visit>[] = [
  { ...began, width: 176 },
  { id: 'who', kind: 'text', width: 160, grow: 1, value: whoOf },
  { id: 'organization', kind: 'mono', width: 160, value: ({ organization }) => organization },
  { id: 'reason', kind: 'text', width: 240, grow: 2, value: ({ reason }) => reason || message('visit:noReason') },
  { ...reach, width: 120 },
  { id: 'calls', kind: 'number', width: 72, value: (item) => `${item.calls}` },
  { id: 'changes', kind: 'number', width: 80, value: (item) => `${item.changes}` },
];

const facts: readonly Fact<Visit>[] = [
  { id: 'who', kind: 'text', group: 'owner', value: whoOf },
  { id: 'email', kind: 'text', group: 'owner', value: ({ userEmail }) => userEmail },
  {
    id: 'organization',
    kind: 'mono',
    group: 'owner',
    value: ({ organization }) => organization,
    links: ({ organization }) => asLinks('organization', organization),
  },
  { id: 'reason', kind: 'text', group: 'state', value: ({ reason }) => reason || message('visit:noReason') },
  began,
  ends,
  reach,
  {
    id: 'allowed',
    kind: 'time',
    group: 'period',
    value: ({ changesAllowedAt }) => textOf(changesAllowedAt),
    at: ({ changesAllowedAt }) => msOf(changesAllowedAt),
  },
  { id: 'calls', kind: 'number', group: 'state', value: (item) => `${item.calls}` },
  { id: 'changes', kind: 'number', group: 'state', value: (item) => `${item.changes}` },
];

/** Support staff acting for an organization: who, why, and each call they made. Its administrators see them, and the staff do. */
export const visit: Entity<Visit, Selection> = entity({
  name: 'visit',
  plural: 'visits',
  requires: 'MANAGE_USERS',
  emptyHint: true,
  screen: { path: '/support/visits', rail: { icon: 'life-buoy', group: 'organization' }, key: 'g v' },
  views: [
    { id: 'all', filter: '' },
    { id: 'changes', filter: 'changes:true' },
  ],
  id: idOf,
  label: (item) => `${whoOf(item)} · ${item.organization}`,
  detail: ({ reason }) => reason,
  json: (item) => toJson(VisitSchema, item),
  isId: (text) => ID.test(text.trim()),
  toId: (text) => text.trim(),
  list: (context, { selection }, window) => windowOf(window, load(context, selection)),
  byIds: async (context, ids) => (await Promise.all(ids.map((id) => byId(context, id)))).flat(),
  find: (context, text) => byId(context, text.trim()),
  search: async (context, text, limit) => (await load(context, { search: text.trim() })({ size: limit })).items,
  emptySelection: (): Selection => ({}),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {
    changes: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.onlyChanges = isTrue(term);
      },
    },
    everywhere: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.allOrganizations = isTrue(term);
      },
    },
  },
  // Newest first, always.
  sorts: [],
  columns,
  facts,
  related: [calls],
});
