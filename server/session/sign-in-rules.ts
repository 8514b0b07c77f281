import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';
import type { userValidation } from '#server/db/schema/membership-request.ts';
import { followsPattern } from './address-pattern.ts';
import type { Session } from './session.ts';

/** What an organization asks of the people in it. */
export type SignInRules = typeof userValidation.$inferSelect;

/** What of a sign-in the rules are about. */
export interface JudgedSignIn {
  readonly email: string;
  readonly emailVerified: boolean;
  /** The identity provider's name for the way in; undefined when it is not known, which breaks no rule. */
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
 * A rule that a sign-in breaks (contract: UserValidation). A way in that the contract does not know is one that was
 * added later, which a restriction excludes.
 *
 * @returns the sentence that says which; undefined when all are kept
 */
export function brokenRule(rules: SignInRules, { email, emailVerified, provider }: JudgedSignIn): string | undefined {
  const { organization, emailRegex } = rules;
  if (rules.providers.length > 0 && provider !== undefined) {
    const used = providers[provider];
    if (used === undefined || !rules.providers.includes(used)) {
      const allowed = rules.providers.map((value) => namesOfProviders[value as UserValidation_SignInProvider]);
      return `"${organization}" asks people to sign in with ${allowed.join(' or ')}.`;
    }
  }
  if (rules.requireVerifiedEmail && !emailVerified) {
    return `"${organization}" asks for a verified email address, and ${email} is not verified.`;
  }
  if (emailRegex !== '' && !followsPattern(emailRegex, email)) {
    return `"${organization}" takes only addresses that match ${emailRegex}, and ${email} does not.`;
  }
  return undefined;
}

/**
 * Why somebody cannot act in an organization that they are a member of, directly or from above: every membership that
 * would let them is barred by a rule. What a member whose sign-in breaks a rule may do is not stated: they stay a
 * member, see their own profile, and act in other organizations. API tokens are nobody's sign-in and go on.
 *
 * @param path the organization and its ancestors
 * @returns the sentence of the rule; undefined when nothing bars them
 */
export function barredFrom({ memberships }: Session, path: readonly string[]): string | undefined {
  const through = memberships.filter((membership) => path.includes(membership.organization));
  return through.every((membership) => membership.barred !== undefined) ? through[0]?.barred : undefined;
}
