import { and, isNull, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { appUser } from '#server/db/schema/user.ts';

/** Addresses are unique regardless of case (contract: Invite). */
export const sameAddress = (email: string) => sql`lower(${appUser.email}) = lower(${email})`;

/** Finds the person with the address, ignoring deleted accounts. */
export async function personWithAddress(
  orm: Executor,
  email: string,
): Promise<typeof appUser.$inferSelect | undefined> {
  const [row] = await orm
    .select()
    .from(appUser)
    .where(and(sameAddress(email), isNull(appUser.deletedAt)));
  return row;
}

/**
 * Normalizes an address as the key of invitations. Changes only ASCII letters: `toLowerCase` would also turn the Kelvin
 * sign, which belongs to other people's addresses, into a `k`.
 */
export const addressKey = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
