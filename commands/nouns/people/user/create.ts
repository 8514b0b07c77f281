import { emailProblem } from '#commands/kit/email-address.ts';
import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { role, roleParams, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

/**
 * Creates an account and makes it a member. Cannot be undone, because removing the member does not delete the account.
 */
export const createUser = command({
  id: 'user.create',
  requires: 'MANAGE_USERS',
  effect: 'write',
  params: {
    email: required(p.text({ check: emailProblem })),
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
  plan: async (_context, { email, name, roles, password, sendReset, orInvite }) => ({
    summary: message('user:plan.create', { name: name.trim(), email: email.trim(), roles: rolesText(roles) }),
    count: 1,
    changes: [],
    notes: [
      ...(password || sendReset ? [] : [message('user:plan.cannotSignIn')]),
      ...(orInvite ? [message('user:plan.orInvite')] : []),
      message('user:plan.accountKept'),
    ],
    reversible: false,
  }),
  run: async (context, args) => {
    const email = args.email.trim();
    const response = await context.api(UserService).createUser(
      {
        organization: context.organization.id,
        email,
        name: args.name.trim(),
        roles: { include: (args.roles ?? []).map(role.id) },
        overrideAllowNoRoles: args.withoutRoles,
        ...(args.password ? { password: args.password, passwordReset: args.changePassword } : {}),
        sendPasswordResetMail: args.sendReset,
        sendVerificationMail: args.sendVerification,
        allowInviteInstead: args.orInvite,
      },
      { signal: context.signal },
    );
    // If the response has no id, the server sent an invitation instead of creating a member.
    return {
      changed: ['user', 'invitation'],
      results: [{ id: response.id || email, label: args.name.trim() }],
      message: message(response.id ? 'user:done.created' : 'user:done.invitedInstead', {
        name: args.name.trim(),
        email,
      }),
      data: { id: response.id },
    };
  },
});
