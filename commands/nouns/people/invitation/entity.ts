import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { attributes } from '#commands/kit/attributes.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { localLookups, pageOf } from '#commands/kit/local-list.ts';
import { isEmailAddress } from '#commands/text/email.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';

/** The contract tells nothing of an invitation but the address. */
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

/**
 * People who were asked to join and have not; they are known by their address only, and those who accepted are
 * members.
 */
export const invitation: Entity<Invitation, Selection> = entity({
  name: 'invitation',
  plural: 'invitations',
  requires: 'MANAGE_USERS',
  screen: { path: '/settings/accounts/invitations', key: 'g n', tabs: ACCOUNTS },
  id: emailOf,
  label: emailOf,
  json: (item) => ({ ...item }),
  isId: isEmailAddress,
  // Addresses are compared in lower case, as the server keeps them.
  toId: (text) => text.trim().toLowerCase(),
  list: async (context, { selection }, window) => pageOf(await load(context, selection), window),
  ...localLookups({ every: (context) => load(context), id: emailOf, name: emailOf }),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {},
  // The contract orders them in one way only.
  sorts: [],
  filledBy: 'user.invite',
  emptyHint: true,
  columns,
  details,
  changedBy: ['USER_INVITED', 'USER_ADDED'],
});
