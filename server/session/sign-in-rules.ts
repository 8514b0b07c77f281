import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';
import type { userValidation } from '#server/db/schema/membership-request.ts';

import { followsPattern } from './address-pattern.ts';
import type { Session } from './session.ts';

/** The rules of an organization for the sign-ins of its members. */
export type SignInRules = typeof userValidation.$inferSelect;

/** The parts of a sign-in that the rules check. */
export interface CheckedSignIn {
  readonly email: string;
  readonly emailVerified: boolean;
  /** The identity provider's name for the method; undefined if unknown, which breaks no rule. */
  readonly provider: string | undefined;
}

const providers: Readonly<Record<string, UserValidation_SignInProvider>> = {
  password: UserValidation_SignInProvider.PASSWORD,
  'google.com': UserValidation_SignInProvider.GOOGLE,
};

const namesOfProviders: Readonly<Record<UserValidation_SignInProvider, string>> = {
  [UserValidation_SignInProvider.PASSWORD]: 'a password',
  [UserValidation_SignInProvider.GOOGLE]: 'a Google account',
};

/**
 * Finds a rule that a sign-in breaks (contract: UserValidation). A method unknown to the contract was added later, and
 * a restriction excludes it.
 *
 * @returns the sentence of the rule; undefined if the sign-in satisfies all of them
 */
export function findBrokenRule(
  rules: SignInRules,
  { email, emailVerified, provider }: CheckedSignIn,
): string | undefined {
  const { organization, emailRegex } = rules;
  if (rules.providers.length > 0 && provider !== undefined) {
    const signInProvider = providers[provider];
    if (signInProvider === undefined || !rules.providers.includes(signInProvider)) {
      const allowed = rules.providers.map((value) => namesOfProviders[value as UserValidation_SignInProvider]);
      return `"${organization}" requires you to sign in with ${allowed.join(' or ')}.`;
    }
  }
  if (rules.requireVerifiedEmail && !emailVerified) {
    return `"${organization}" requires a verified email address, and ${email} is not verified.`;
  }
  if (emailRegex !== '' && !followsPattern(emailRegex, email)) {
    return `"${organization}" only admits addresses that match ${emailRegex}, and ${email} does not.`;
  }
  return undefined;
}

/**
 * The reason why someone cannot act in an organization despite a membership in it or in an ancestor: a rule bars every
 * such membership. The contract does not state what barred members may do: they stay members, see their own profile,
 * and act in other organizations. API tokens are not sign-ins and stay valid.
 *
 * @param path the organization and its ancestors
 * @returns the sentence of the rule; undefined if nothing bars them
 */
export function barredFrom({ memberships }: Session, path: readonly string[]): string | undefined {
  const applicable = memberships.filter((membership) => path.includes(membership.organization));
  return applicable.every((membership) => membership.barred !== undefined) ? applicable[0]?.barred : undefined;
}
