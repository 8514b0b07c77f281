import { and, isNull, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { appUser } from '#server/db/schema/user.ts';

/** Matches the user with the given address, which is unique regardless of case (contract: Invite). */
export const hasAddress = (email: string) => sql`lower(${appUser.email}) = lower(${email})`;

/** Finds the person with the address, ignoring deleted accounts. */
export async function findPersonByAddress(
  orm: Executor,
  email: string,
): Promise<typeof appUser.$inferSelect | undefined> {
  const [row] = await orm
    .select()
    .from(appUser)
    .where(and(hasAddress(email), isNull(appUser.deletedAt)));
  return row;
}

/**
 * Normalizes an address for use as a key. Changes only ASCII letters, because `toLowerCase` would also turn a Kelvin
 * sign into a `k`, and the result could be another person's address.
 */
export const addressKey = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
