import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { message } from '#commands/text/message.ts';
import { givenRoles, role, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { invitation } from './entity.ts';

/**
 * Mails them again, for another 30 days; always allowed. The roles are asked for: the contract does not tell which
 * were given (UserService).
 */
export const inviteAgain = bulkAction({
  of: invitation,
  verb: 'invite-again',
  requires: 'MANAGE_USERS',
  keys: ['r'],
  params: givenRoles,
  positional: ['roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  summary: ({ roles }) => ({ roles: rolesText(roles) }),
  notes: () => [message('invitation:plan.replaces'), message('invitation:plan.cannotWithdraw')],
  size: 1,
  call: async ({ api, organization, signal }, [item], { roles = [], withoutRoles }) => {
    const include = roles.map(role.id);
    const request = { organization, email: item!.email, roles: { include }, overrideAllowNoRoles: withoutRoles };
    await api(UserService).invite(request, { signal });
  },
});
