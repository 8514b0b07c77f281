import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { inBatches } from '#commands/kit/batch.ts';
import { command } from '#commands/model/command.ts';
import { emailProblem } from '#commands/kit/email-address.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { succeeded } from '#commands/model/result.ts';
import { givenRoles, role, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';

const distinct = (emails: readonly string[]): readonly string[] => [
  ...new Set(emails.map((email) => email.trim().toLowerCase())),
];

/** Mails people that they may join. The contract cannot withdraw an invitation, so there is no way back. */
export const inviteUsers = command({
  id: 'user.invite',
  requires: 'MANAGE_USERS',
  effect: 'write',
  keys: ['c u'],
  params: {
    emails: required(
      p.words({
        check: (emails) => {
          if (emails.length === 0) return message('core:validation.required');
          const wrong = emails.find(emailProblem);
          return wrong === undefined ? undefined : message('user:validation.address', { email: wrong });
        },
      }),
    ),
    ...givenRoles,
  },
  positional: ['emails', 'roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  plan: async (context, { emails, roles }) => {
    const asked = distinct(emails);
    const request = { organization: context.organization.id };
    const pending = await context.api(UserService).listInvitations(request, { signal: context.signal });
    const again = pending.emails.filter((email) => asked.includes(email.toLowerCase())).length;
    return {
      summary: message('user:plan.invite', { count: asked.length, roles: rolesText(roles) }),
      count: asked.length,
      changes: asked.map((email) => ({
        id: email,
        label: email,
        field: message('user:fields.invitation'),
        before: undefined,
        after: roles?.map(role.label).join(', ') || undefined,
      })),
      notes: [
        ...(again > 0 ? [message('user:plan.inviteAgain', { count: again })] : []),
        message('user:plan.inviteLapses'),
      ],
      reversible: false,
    };
  },
  run: async (context, { emails, roles = [], withoutRoles }) => {
    const results = await inBatches(context, {
      items: distinct(emails),
      id: String,
      label: String,
      size: 1,
      each: async ([email = ''], { api, organization, signal }) => {
        const request = {
          organization: organization.id,
          email,
          roles: { include: roles.map(role.id) },
          overrideAllowNoRoles: withoutRoles,
        };
        await api(UserService).invite(request, { signal });
      },
    });
    const { length: count } = succeeded({ results });
    return { changed: ['invitation'], results, message: message('user:done.invited', { count }) };
  },
});
