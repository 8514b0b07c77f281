import { attributes } from '#commands/kit/attributes.ts';
import { localLookups, slicePage } from '#commands/kit/local-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';
import { isEmailAddress } from '#commands/text/email.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

/** The contract returns only the email address of an invitation. */
export interface Invitation {
  readonly email: string;
}

interface Selection {
  search?: string;
}

async function load(context: Context, selection: Selection = {}): Promise<readonly Invitation[]> {
  const request = { organization: context.organization.id, ...selection };
  const { emails } = await context.api(UserService).listInvitations(request, { signal: context.signal });
  return emails.map((email) => ({ email }));
}

const emailOf = ({ email }: Invitation): string => email;

const { columns, details } = attributes<Invitation, Selection>({
  email: { kind: 'text', value: emailOf, column: { width: 320, grow: 1 }, detail: 'about' },
});

/** Invitations that nobody has accepted yet, identified by email address. */
export const invitation: Entity<Invitation, Selection> = entity({
  name: 'invitation',
  plural: 'invitations',
  requires: 'MANAGE_USERS',
  screen: { path: '/settings/accounts/invitations', key: 'g n', tabs: ACCOUNTS },
  id: emailOf,
  label: emailOf,
  json: (item) => ({ ...item }),
  isId: isEmailAddress,
  // Lowercase because the server stores addresses that way.
  toId: (text) => text.trim().toLowerCase(),
  list: async (context, { selection }, window) => slicePage(await load(context, selection), window),
  ...localLookups({ loadAll: (context) => load(context), id: emailOf, name: emailOf }),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: {},
  // The server returns invitations in a fixed order.
  sorts: [],
  addCommand: 'user.invite',
  otherAddCommands: ['invitation.import'],
  emptyHint: true,
  columns,
  details,
  changedBy: ['USER_INVITED', 'USER_ADDED'],
});

export { invitation as entity };
