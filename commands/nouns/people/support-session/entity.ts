import { type MessageInitShape } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { isTrue } from '#commands/kit/filter-keys.ts';
import { organizationLinks, loadOrganizationNames, organizationText } from '#commands/kit/organization-names.ts';
import { remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import type { ListResponse } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import {
  SupportService,
  SupportSessionSchema,
  type ListSupportSessionsRequestSchema,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import { calls } from './calls.ts';
import type { SupportSessionItem } from './item.ts';

interface Selection {
  search?: string;
  onlyChanges?: boolean;
  /** True to include the sessions in all organizations. Only support staff can do this. */
  allOrganizations?: boolean;
}

async function listSessions(
  context: Context,
  request: MessageInitShape<typeof ListSupportSessionsRequestSchema>,
): Promise<ListResponse<SupportSessionItem>> {
  const { supportSessions, pagination } = await context
    .api(SupportService)
    .listSupportSessions(request, { signal: context.signal });
  const ids = supportSessions.map(({ organization }) => organization);
  const organizations = await loadOrganizationNames(context, ids);
  return { items: supportSessions.map((session) => ({ session, organizations })), pagination };
}

function load(context: Context, selection: Selection) {
  return (pagination: { page?: number; size?: number }): Promise<ListResponse<SupportSessionItem>> =>
    listSessions(context, { organization: context.organization.id, ...selection, pagination });
}

/** Combines the organization and the session number, which is unique only within the organization. */
const idOf = ({ session: { organization, id } }: SupportSessionItem): string => `${organization}:${id}`;
const ID = /^([a-z0-9_-]+):(\d+)$/;

async function loadById(context: Context, id: string): Promise<readonly SupportSessionItem[]> {
  const [, organization, number] = ID.exec(id) ?? [];
  if (organization === undefined || number === undefined) return [];
  return (await listSessions(context, { organization, supportSessionIds: [BigInt(number)] })).items;
}

const staffName = ({ session: { userName, userEmail } }: SupportSessionItem): string => userName || userEmail;

const { columns, details, filter } = attributes<SupportSessionItem, Selection>({
  began: {
    kind: 'time',
    value: ({ session: { beganAt } }) => textOf(beganAt),
    time: ({ session: { beganAt } }) => toMs(beganAt),
    column: { width: 176 },
    detail: 'period',
  },
  who: { kind: 'text', value: staffName, column: { width: 160, grow: 1 }, detail: 'owner' },
  email: { kind: 'text', value: ({ session: { userEmail } }) => userEmail, detail: 'owner' },
  organization: {
    kind: 'text',
    value: ({ session: { organization }, organizations }) => organizationText(organization, organizations),
    links: ({ session: { organization }, organizations }) => organizationLinks(organization, organizations),
    column: { width: 160, grow: 1 },
    detail: 'owner',
  },
  reason: {
    kind: 'text',
    value: ({ session: { reason } }) => reason || message('support-session:noReason'),
    column: { width: 240, grow: 2 },
    detail: 'state',
  },
  ends: {
    kind: 'time',
    value: ({ session: { endsAt } }) => textOf(endsAt),
    time: ({ session: { endsAt } }) => toMs(endsAt),
    detail: 'period',
  },
  reach: {
    kind: 'status',
    value: ({ session: { changesAllowedAt } }) =>
      message(changesAllowedAt ? 'support-session:reach.changes' : 'support-session:reach.reads'),
    column: { width: 120 },
    detail: 'state',
  },
  allowed: {
    kind: 'time',
    value: ({ session: { changesAllowedAt } }) => textOf(changesAllowedAt),
    time: ({ session: { changesAllowedAt } }) => toMs(changesAllowedAt),
    detail: 'period',
  },
  calls: { kind: 'number', value: ({ session }) => `${session.calls}`, column: { width: 72 }, detail: 'state' },
  changes: {
    kind: 'number',
    value: ({ session }) => `${session.changes}`,
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
 * Support sessions, which show who acted for an organization, why, and every call they made. The organization's
 * administrators and support staff can see them.
 */
export const supportSession: Entity<SupportSessionItem, Selection> = entity({
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
  label: (item) =>
    `${staffName(item)} · ${item.organizations.get(item.session.organization) ?? item.session.organization}`,
  detail: (item) => item.session.reason,
  json: (item, toJson) => toJson(SupportSessionSchema, item.session),
  // Users do not type ids of support sessions.
  isId: () => false,
  toId: (text) => text.trim(),
  ...remoteList({ load, searchSelection: (search): Selection => ({ search }) }),
  byIds: async (context, ids) => (await Promise.all(ids.map((id) => loadById(context, id)))).flat(),
  find: (context, text) => loadById(context, text.trim()),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, text) => {
    selection.search = text;
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
  // The server always returns the newest sessions first.
  sorts: [],
  columns,
  details,
  detailTabs: [calls],
});

export { supportSession as entity };
