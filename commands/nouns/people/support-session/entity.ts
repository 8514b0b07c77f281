import { toJson, type MessageInitShape } from '@bufbuild/protobuf';

import {
  SupportService,
  VisitSchema,
  type ListVisitsRequestSchema,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { attributes } from '#commands/kit/attributes.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { isTrue } from '#commands/kit/filter-keys.ts';
import { message } from '#commands/text/message.ts';
import { organizationLinks, organizationNames, organizationText } from '#commands/kit/organization-names.ts';
import { remoteList } from '#commands/kit/remote-list.ts';
import type { Listed } from '#commands/run/paging.ts';
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
  return { items: visits.map((visit) => ({ visit, organizations })), pagination };
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

const { columns, details, filter } = attributes<VisitItem, Selection>({
  began: {
    kind: 'time',
    value: ({ visit: { beganAt } }) => textOf(beganAt),
    at: ({ visit: { beganAt } }) => msOf(beganAt),
    column: { width: 176 },
    detail: 'period',
  },
  who: { kind: 'text', value: whoOf, column: { width: 160, grow: 1 }, detail: 'owner' },
  email: { kind: 'text', value: ({ visit: { userEmail } }) => userEmail, detail: 'owner' },
  organization: {
    kind: 'text',
    value: ({ visit: { organization }, organizations }) => organizationText(organization, organizations),
    links: ({ visit: { organization }, organizations }) => organizationLinks(organization, organizations),
    column: { width: 160, grow: 1 },
    detail: 'owner',
  },
  reason: {
    kind: 'text',
    value: ({ visit: { reason } }) => reason || message('support-session:noReason'),
    column: { width: 240, grow: 2 },
    detail: 'state',
  },
  ends: {
    kind: 'time',
    value: ({ visit: { endsAt } }) => textOf(endsAt),
    at: ({ visit: { endsAt } }) => msOf(endsAt),
    detail: 'period',
  },
  reach: {
    kind: 'status',
    value: ({ visit: { changesAllowedAt } }) =>
      message(changesAllowedAt ? 'support-session:reach.changes' : 'support-session:reach.reads'),
    column: { width: 120 },
    detail: 'state',
  },
  allowed: {
    kind: 'time',
    value: ({ visit: { changesAllowedAt } }) => textOf(changesAllowedAt),
    at: ({ visit: { changesAllowedAt } }) => msOf(changesAllowedAt),
    detail: 'period',
  },
  calls: { kind: 'number', value: ({ visit }) => `${visit.calls}`, column: { width: 72 }, detail: 'state' },
  changes: {
    kind: 'number',
    value: ({ visit }) => `${visit.changes}`,
    column: { width: 80 },
    detail: 'state',
    filter: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.onlyChanges = isTrue(term);
      },
    },
  },
});

/**
 * Support staff acting for an organization: who, why, and each call they made. Its administrators see them, and the
 * staff do.
 */
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
  ...remoteList({ load, searching: (search): Selection => ({ search }) }),
  byIds: async (context, ids) => (await Promise.all(ids.map((id) => byId(context, id)))).flat(),
  find: (context, text) => byId(context, text.trim()),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {
    ...filter,
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
  details,
  detailTabs: [calls],
});
