import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { role, roleParams, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

import { invitation } from './entity.ts';

/**
 * Sends the invitation again, valid for another 30 days. Prompts for the roles, because the server does not return the
 * original roles (contract: UserService).
 */
export const inviteAgain = bulkAction({
  entity: invitation,
  verb: 'invite-again',
  requires: 'MANAGE_USERS',
  keys: [LETTERS.roles],
  params: roleParams,
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
