import { toJson } from '@bufbuild/protobuf';

import { page, type Page } from '#commands/model/page.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';
import { message } from '#commands/text/message.ts';
import { UserValidation_SignInProvider, UserValidationSchema, type UserValidation } from '#proto/gen/hiber/user_pb.ts';

import { loadRules } from './sign-in-rules.ts';

/** The email addresses and sign-in methods that the organization accepts. */
export const rulesPage: Page<UserValidation> = page({
  noun: 'user',
  name: 'sign-in-rules',
  screen: { path: '/settings/accounts/sign-in-rules', tabs: ACCOUNTS },
  requires: 'MANAGE_USERS',
  changedBy: ['user'],
  load: loadRules,
  json: (data) => toJson(UserValidationSchema, data),
  sections: [
    {
      id: 'rules',
      hint: true,
      details: [
        {
          id: 'providers',
          kind: 'text',
          value: ({ allowedSignInProviders: allowed }) => {
            if (allowed.length === 0) return message('user:rule.anyProvider');
            if (allowed.length > 1) return message('user:rule.bothProviders');
            return message(
              allowed[0] === UserValidation_SignInProvider.GOOGLE ? 'user:provider.GOOGLE' : 'user:provider.PASSWORD',
            );
          },
        },
        {
          id: 'pattern',
          kind: 'text',
          value: ({ emailValidationRegex }) => emailValidationRegex || message('user:rule.anyAddress'),
        },
        {
          id: 'verified',
          kind: 'text',
          value: ({ requireVerifiedEmailAddresses: required }) =>
            message(required ? 'user:rule.verified' : 'user:rule.unverified'),
        },
      ],
    },
    {
      id: 'change',
      hint: true,
      actions: [
        { command: 'user.set-sign-in-rules', as: 'form' },
        { command: 'user.test-sign-in-rules', as: 'button' },
      ],
    },
  ],
});
