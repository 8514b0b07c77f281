import { eq } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { brokenRule, type SignInRules } from '#server/session/sign-in-rules.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/** An organization that never set any has none. */
export async function rulesOf(orm: Executor, organization: string): Promise<SignInRules> {
  const [row] = await orm.select().from(userValidation).where(eq(userValidation.organization, organization));
  return row ?? { organization, emailRegex: '', providers: [], requireVerifiedEmail: false };
}

/**
 * Holds an address against the organization's rules, where nothing else of the person's sign-in is known yet: whether
 * it is verified, and which way they sign in, is asked when they do.
 *
 * @throws ConnectError FAILED_PRECONDITION with the rule
 */
export function requireAddressWithin(rules: SignInRules, email: string): void {
  const broken = brokenRule(rules, { email, emailVerified: true, provider: undefined });
  if (broken !== undefined) throw failedPrecondition(broken);
}
