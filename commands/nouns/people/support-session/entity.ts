import { toJson, type MessageInitShape } from '@bufbuild/protobuf';

import {
  SupportService,
  VisitSchema,
  type ListVisitsRequestSchema,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import type { Context } from '#commands/model/context.ts';
import type { Column, Fact } from '#commands/model/column.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { isTrue } from '#commands/kit/filter-keys.ts';
import { message, type Message } from '#commands/text/message.ts';
import { organizationLinks, organizationNames, organizationText } from '#commands/kit/organization-names.ts';
import { windowOf, type Listed } from '#commands/run/paging.ts';
import { msOf, textOf } from '#commands/model/wire.ts';
import { calls } from './calls.ts';
import type { VisitItem } from './item.ts';

interface Selection {
  search?: string;
  onlyChanges?: boolean;
  /** Support sessions in every organization: for support staff. */
  allOrganizations?: boolean;
}

async function ask(
  context: Context,
  request: MessageInitShape<typeof ListVisitsRequestSchema>,
): Promise<Listed<VisitItem>> {
  const { visits, pagination } = await context.api(SupportService).listVisits(request, { signal: context.signal });
  const ids = visits.map(({ organization }) => organization);
  const organizations = await organizationNames(context, ids);
  return { items: visits.map((each) => ({ visit: each, organizations })), pagination };
}

function load(context: Context, selection: Selection) {
  return (pagination: { page?: number; size?: number }): Promise<Listed<VisitItem>> =>
    ask(context, { organization: context.organization.id, ...selection, pagination });
}

/** Numbers are an organization's own, so that it takes both to name a support session. */
const idOf = ({ visit: { organization, id } }: VisitItem): string => `${organization}:${id}`;
const ID = /^([a-z0-9_-]+):(\d+)$/;

async function byId(context: Context, id: string): Promise<readonly VisitItem[]> {
  const [, organization, number] = ID.exec(id) ?? [];
  if (organization === undefined || number === undefined) return [];
  return (await ask(context, { organization, visitIds: [BigInt(number)] })).items;
}

const whoOf = ({ visit: { userName, userEmail } }: VisitItem): string => userName || userEmail;
const organizationOf = ({ visit: { organization }, organizations }: VisitItem): string | Message | undefined =>
  organizationText(organization, organizations);
const reasonOf = ({ visit: { reason } }: VisitItem): string | Message => reason || message('support-session:noReason');

const began: Fact<VisitItem> = {
  id: 'began',
  kind: 'time',
  group: 'period',
  value: ({ visit: { beganAt } }) => textOf(beganAt),
  at: ({ visit: { beganAt } }) => msOf(beganAt),
};
const ends: Fact<VisitItem> = {
  id: 'ends',
  kind: 'time',
  group: 'period',
  value: ({ visit: { endsAt } }) => textOf(endsAt),
  at: ({ visit: { endsAt } }) => msOf(endsAt),
};
const reach: Fact<VisitItem> = {
  id: 'reach',
  kind: 'status',
  group: 'state',
  value: ({ visit: { changesAllowedAt } }) =>
    message(changesAllowedAt ? 'support-session:reach.changes' : 'support-session:reach.reads'),
};

const columns: readonly Column<VisitItem>[] = [
  { ...began, width: 176 },
  { id: 'who', kind: 'text', width: 160, grow: 1, value: whoOf },
  { id: 'organization', kind: 'text', width: 160, grow: 1, value: organizationOf },
  { id: 'reason', kind: 'text', width: 240, grow: 2, value: reasonOf },
  { ...reach, width: 120 },
  { id: 'calls', kind: 'number', width: 72, value: (item) => `${item.visit.calls}` },
  { id: 'changes', kind: 'number', width: 80, value: (item) => `${item.visit.changes}` },
];

const facts: readonly Fact<VisitItem>[] = [
  { id: 'who', kind: 'text', group: 'owner', value: whoOf },
  { id: 'email', kind: 'text', group: 'owner', value: ({ visit: { userEmail } }) => userEmail },
  {
    id: 'organization',
    kind: 'text',
    group: 'owner',
    value: organizationOf,
    links: ({ visit: { organization }, organizations }) => organizationLinks(organization, organizations),
  },
  { id: 'reason', kind: 'text', group: 'state', value: reasonOf },
  began,
  ends,
  reach,
  {
    id: 'allowed',
    kind: 'time',
    group: 'period',
    value: ({ visit: { changesAllowedAt } }) => textOf(changesAllowedAt),
    at: ({ visit: { changesAllowedAt } }) => msOf(changesAllowedAt),
  },
  { id: 'calls', kind: 'number', group: 'state', value: (item) => `${item.visit.calls}` },
  { id: 'changes', kind: 'number', group: 'state', value: (item) => `${item.visit.changes}` },
];

/** Support staff acting for an organization: who, why, and each call they made. Its administrators see them, and the staff do. */
export const supportSession: Entity<VisitItem, Selection> = entity({
  name: 'support-session',
  plural: 'support-sessions',
  requires: 'MANAGE_USERS',
  emptyHint: true,
  screen: {
    path: '/support/sessions',
    aliases: ['/support/visits'],
    rail: { icon: 'life-buoy', group: 'organization' },
    key: 'g v',
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'changes', filter: 'changes:true' },
  ],
  id: idOf,
  label: (item) => `${whoOf(item)} · ${item.organizations.get(item.visit.organization) ?? item.visit.organization}`,
  detail: (item) => item.visit.reason,
  json: (item) => toJson(VisitSchema, item.visit),
  // It says nothing that the name and the organization do not.
  isId: () => false,
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
