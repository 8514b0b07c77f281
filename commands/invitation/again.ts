import { UserService } from '#proto/hiber/user_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { countOf } from '../core/edit-command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { givenRoles, role, rolesProblem, rolesText } from '../role/entity.ts';
import { invitation } from './entity.ts';

/** Mails them again, for another 30 days; always allowed. The roles are asked for: the contract does not tell which were given (UserService). */
export const inviteAgain = command({
  id: 'invitation.invite-again',
  on: () => invitation,
  requires: 'MANAGE_USERS',
  effect: 'write',
  keys: ['r'],
  params: { invitations: p.many(() => invitation), ...givenRoles },
  positional: ['invitations', 'roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  plan: async (_context, { invitations: { items }, roles }) => ({
    summary: message('invitation:plan.again', {
      items: countOf(invitation, items.length),
      roles: rolesText(roles),
    }),
    count: items.length,
    changes: [],
    notes: [message('invitation:plan.replaces'), message('invitation:plan.cannotWithdraw')],
    reversible: false,
  }),
  run: async (context, { invitations: { items }, roles = [], withoutRoles }) => {
    const results = await inBatches(context, {
      items,
      id: invitation.id,
      label: invitation.label,
      size: 1,
      each: async ([item], { api, organization, signal }) => {
        const request = {
          organization: organization.id,
          email: item!.email,
          roles: { include: roles.map(role.id) },
          overrideAllowNoRoles: withoutRoles,
        };
        await api(UserService).invite(request, { signal });
      },
    });
    const { length: count } = succeeded({ results });
    return { changed: ['invitation'], results, said: message('invitation:said.again', { count }) };
  },
});
