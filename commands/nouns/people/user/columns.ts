import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import type { Column, Fact, Level } from '#commands/model/column.ts';
import { message, type Message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';
import { organizationLinks, organizationText } from '#commands/kit/organization-names.ts';
import { dayOf, msOf, textOf } from '#commands/model/wire.ts';
import { supportWords } from '#commands/nouns/people/role/entity.ts';
import { nameOf, type UserItem } from './item.ts';

const STATUSES = ['active', 'suspended', 'trying'] as const;

function statusOf({ user, member }: UserItem): (typeof STATUSES)[number] {
  if (member?.suspended) return 'suspended';
  return user.hasActiveRoleOverride ? 'trying' : 'active';
}

export const isSuspended = (item: UserItem): boolean => statusOf(item) === 'suspended';

const statusText = (item: UserItem): Message => message(`user:status.${statusOf(item)}`);
/** Who cannot sign in, or acts as somebody else for a while, is to be noticed. */
const standing = (item: UserItem): Level => (statusOf(item) === 'active' ? 'none' : 'warning');

const rolesText = ({ roles }: UserItem): string | Message => roles.join(', ') || message('user:noRoles');

/** What the member may do here: everything, or the permissions that they hold. */
export function permissionsOf({ user: { permissions } }: UserItem): readonly OrganizationPermission[] {
  if (!permissions) return [];
  const held = permissions.includeAll ? Object.values(OrganizationPermission) : permissions.include;
  return held.filter((each) => !permissions.exclude.includes(each));
}

const organizationOf = ({ organization, organizations }: UserItem): string | Message | undefined =>
  organizationText(organization, organizations);
const activeOn = ({ user }: UserItem): number | undefined => dayOf(user.lastActivity);
const activityText = ({ user: { lastActivity } }: UserItem): string | Message =>
  lastActivity?.textual || message('user:never');

export const userColumns: readonly Column<UserItem>[] = [
  { id: 'name', kind: 'text', width: 180, grow: 2, sort: 'name', value: nameOf },
  { id: 'email', kind: 'text', width: 220, enough: 250, grow: 2, sort: 'email', value: ({ user }) => user.email },
  { id: 'roles', kind: 'text', width: 160, grow: 2, value: rolesText },
  {
    id: 'status',
    kind: 'status',
    width: 110,
    texts: STATUSES.map((status) => message(`user:status.${status}`)),
    value: statusText,
  },
  { id: 'activity', kind: 'day', width: 110, value: activityText, at: activeOn },
  { id: 'organization', kind: 'text', width: 160, grow: 1, when: 'below', value: organizationOf },
];

export const userFacts: readonly Fact<UserItem>[] = [
  { id: 'name', kind: 'text', group: 'identity', value: ({ user }) => plainName(user.name) || undefined },
  { id: 'email', kind: 'text', group: 'about', value: ({ user }) => user.email },
  {
    id: 'verified',
    kind: 'status',
    group: 'state',
    value: ({ member }) => member && message(member.emailVerified ? 'user:verified.yes' : 'user:verified.no'),
    level: ({ member }) => (member && !member.emailVerified ? 'warning' : 'none'),
  },
  {
    id: 'roles',
    kind: 'text',
    group: 'rights',
    value: rolesText,
    edit: 'user.set-roles',
    fields: ['roles', 'withoutRoles'],
  },
  { id: 'permissions', kind: 'number', group: 'rights', value: (item) => `${permissionsOf(item).length}` },
  {
    id: 'support',
    kind: 'text',
    group: 'rights',
    value: ({ user: { supportPermissions } }) => supportWords.words(supportPermissions?.include ?? []),
  },
  { id: 'status', kind: 'status', group: 'state', value: statusText, level: standing },
  { id: 'activity', kind: 'day', group: 'state', value: activityText, at: activeOn },
  {
    id: 'joined',
    kind: 'time',
    group: 'about',
    value: ({ member }) => textOf(member?.joinedAt),
    at: ({ member }) => msOf(member?.joinedAt),
  },
  { id: 'signIns', kind: 'number', group: 'about', value: ({ member }) => member && `${member.signIns}` },
  {
    id: 'organization',
    kind: 'text',
    group: 'about',
    value: organizationOf,
    links: ({ organization, organizations }) => organizationLinks(organization, organizations),
  },
  { id: 'id', kind: 'mono', group: 'about', value: ({ user }) => user.id },
];
