import { eq } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { findBrokenRule, type SignInRules } from '#server/session/sign-in-rules.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/** Loads the organization's rules. An organization that has never set rules admits every sign-in. */
export async function loadRules(orm: Executor, organization: string): Promise<SignInRules> {
  const [row] = await orm.select().from(userValidation).where(eq(userValidation.organization, organization));
  return row ?? { organization, emailRegex: '', providers: [], requireVerifiedEmail: false };
}

/**
 * Checks an address against the organization's rules before the person signs in. The rules for the provider and for
 * verified addresses are checked at sign-in.
 *
 * @throws ConnectError FAILED_PRECONDITION, naming the broken rule
 */
export function requireAllowedAddress(rules: SignInRules, email: string): void {
  const violation = findBrokenRule(rules, { email, emailVerified: true, provider: undefined });
  if (violation !== undefined) throw failedPrecondition(violation);
}
