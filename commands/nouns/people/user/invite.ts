import { emailExamples, emailProblem } from '#commands/kit/email-address.ts';
import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { succeededResults } from '#commands/model/result.ts';
import { role, roleParams, rolesProblem, rolesText } from '#commands/nouns/people/role/entity.ts';
import { runInBatches } from '#commands/run/batch.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

const distinctEmails = (emails: readonly string[]): readonly string[] => [
  ...new Set(emails.map((email) => email.trim().toLowerCase())),
];

/** Emails invitations. Can't be undone, because the contract has no way to withdraw an invitation. */
export const inviteUsers = command({
  id: 'user.invite',
  requires: 'MANAGE_USERS',
  effect: 'write',
  keys: ['c u'],
  params: {
    emails: required(
      p.words({
        example: emailExamples,
        check: (emails) => {
          if (emails.length === 0) return message('core:validation.required');
          const invalidEmail = emails.find(emailProblem);
          return invalidEmail === undefined ? undefined : message('user:validation.address', { email: invalidEmail });
        },
      }),
    ),
    ...roleParams,
  },
  positional: ['emails', 'roles'],
  problems: (_context, { roles, withoutRoles }) => rolesProblem({ roles, withoutRoles }),
  plan: async (context, { emails, roles }) => {
    const addresses = distinctEmails(emails);
    const request = { organization: context.organization.id };
    const response = await context.api(UserService).listInvitations(request, { signal: context.signal });
    const repeatedCount = response.emails.filter((email) => addresses.includes(email.toLowerCase())).length;
    return {
      summary: message('user:plan.invite', { count: addresses.length, roles: rolesText(roles) }),
      count: addresses.length,
      changes: addresses.map((email) => ({
        id: email,
        label: email,
        field: message('user:fields.invitation'),
        before: undefined,
        after: roles?.map(role.label).join(', ') || undefined,
      })),
      notes: [
        ...(repeatedCount > 0 ? [message('user:plan.inviteAgain', { count: repeatedCount })] : []),
        message('user:plan.cannotWithdraw'),
      ],
      reversible: false,
    };
  },
  run: async (context, { emails, roles = [], withoutRoles }) => {
    const results = await runInBatches(context, {
      items: distinctEmails(emails),
      id: String,
      label: String,
      size: 1,
      change: async ([email = ''], { api, organization, signal }) => {
        const request = {
          organization: organization.id,
          email,
          roles: { include: roles.map(role.id) },
          overrideAllowNoRoles: withoutRoles,
        };
        await api(UserService).invite(request, { signal });
      },
    });
    const { length: count } = succeededResults({ results });
    return { changed: ['invitation'], results, message: message('user:done.invited', { count }) };
  },
});
