import { createAction } from '#commands/kit/create-action.ts';
import { emailOptions } from '#commands/kit/email-address.ts';
import { p, required } from '#commands/model/params.ts';
import { role, roleParams, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

import { user } from './entity.ts';

/**
 * Creates an account and makes it a member. Cannot be undone because removing the member does not delete the account.
 */
export const createUser = createAction({
  entity: user,
  requires: 'MANAGE_USERS',
  params: {
    email: required(p.text(emailOptions)),
    name: required(
      p.text({
        maxLength: MAX_LENGTH.personName,
        check: (name) => (name.trim() ? undefined : message('core:validation.required')),
      }),
    ),
    ...roleParams,
    password: p.secret(),
    changePassword: p.flag(),
    sendReset: p.flag(),
    sendVerification: p.flag(),
    orInvite: p.flag(),
  },
  positional: ['email', 'name'],
  problems: (_context, { roles, withoutRoles, password, changePassword }) => ({
    ...rolesProblem({ roles, withoutRoles }),
    ...(changePassword && !password ? { changePassword: message('user:validation.noPassword') } : {}),
  }),
  nameOf: ({ name }) => name.trim(),
  values: ({ email, roles }) => ({ email: email.trim(), roles: rolesText(roles) }),
  notes: (_context, { password, sendReset, orInvite }) => [
    ...(password || sendReset ? [] : [message('user:plan.cannotSignIn')]),
    ...(orInvite ? [message('user:plan.orInvite')] : []),
    message('user:plan.accountKept'),
  ],
  call: async ({ api, organization, signal }, args) => {
    const [email, name] = [args.email.trim(), args.name.trim()];
    const { id } = await api(UserService).createUser(
      {
        organization,
        email,
        name,
        roles: { include: (args.roles ?? []).map(role.id) },
        overrideAllowNoRoles: args.withoutRoles,
        ...(args.password ? { password: args.password, passwordReset: args.changePassword } : {}),
        sendPasswordResetMail: args.sendReset,
        sendVerificationMail: args.sendVerification,
        allowInviteInstead: args.orInvite,
      },
      { signal },
    );
    if (id) return { id, label: name };
    // If the response has no id, the server sent an invitation instead of creating a member.
    return { id: email, label: name, data: { id }, message: message('user:done.invitedInstead', { name, email }) };
  },
  changed: ['invitation'],
});
