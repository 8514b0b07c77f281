import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';
import type { userValidation } from '#server/db/schema/membership-request.ts';

import { matchesPattern } from './address-pattern.ts';
import type { Session } from './session.ts';

/** An organization's rules for its members' sign-ins. */
export type SignInRules = typeof userValidation.$inferSelect;

/** The parts of a sign-in that the rules check. */
export interface CheckedSignIn {
  readonly email: string;
  readonly emailVerified: boolean;
  /**
   * The identity provider's name for the method. Undefined if the provider is not known; provider rules are then
   * skipped.
   */
  readonly provider: string | undefined;
}

const providers: Readonly<Record<string, UserValidation_SignInProvider>> = {
  password: UserValidation_SignInProvider.PASSWORD,
  'google.com': UserValidation_SignInProvider.GOOGLE,
};

const providerNames: Readonly<Record<UserValidation_SignInProvider, string>> = {
  [UserValidation_SignInProvider.PASSWORD]: 'a password',
  [UserValidation_SignInProvider.GOOGLE]: 'a Google account',
};

/**
 * Finds a rule that a sign-in breaks (contract: UserValidation). If providers are restricted, a provider that the
 * contract does not define is rejected.
 *
 * @returns a sentence that states the broken rule; undefined if the sign-in satisfies all rules
 */
export function findBrokenRule(
  rules: SignInRules,
  { email, emailVerified, provider }: CheckedSignIn,
): string | undefined {
  const { organization, emailRegex } = rules;
  if (rules.providers.length > 0 && provider !== undefined) {
    const signInProvider = providers[provider];
    if (signInProvider === undefined || !rules.providers.includes(signInProvider)) {
      const allowedProviders = rules.providers.map((value) => providerNames[value as UserValidation_SignInProvider]);
      return `"${organization}" requires you to sign in with ${allowedProviders.join(' or ')}.`;
    }
  }
  if (rules.requireVerifiedEmail && !emailVerified) {
    return `"${organization}" requires a verified email address, and ${email} isn't verified.`;
  }
  if (emailRegex !== '' && !matchesPattern(emailRegex, email)) {
    return `"${organization}" only admits addresses that match ${emailRegex}, and ${email} doesn't.`;
  }
  return undefined;
}

/**
 * Finds the rule that bars a user from an organization although they are a member of it or of an ancestor. Users are
 * barred only if rules bar every one of these memberships. The contract doesn't specify what barred members may do. In
 * this implementation, they stay members, and can see their own profile and act in other organizations. API tokens
 * aren't sign-ins and stay valid.
 *
 * @param path the organization and its ancestors
 * @returns a sentence that states the broken rule; undefined if nothing bars them
 */
export function findBarringRule({ memberships }: Session, path: readonly string[]): string | undefined {
  const applicableMemberships = memberships.filter((membership) => path.includes(membership.organization));
  return applicableMemberships.every((membership) => membership.blockedReason !== undefined)
    ? applicableMemberships[0]?.blockedReason
    : undefined;
}
