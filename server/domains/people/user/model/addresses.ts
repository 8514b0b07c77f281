import { and, isNull, sql } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { appUser } from '#server/db/schema/user.ts';

/** Addresses are one person's whatever the case (contract: Invite). */
export const sameAddress = (email: string) => sql`lower(${appUser.email}) = lower(${email})`;

/** Whoever is known here by the address; accounts that were deleted do not count. */
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
 * An address as invitations are kept and found by it. Only ASCII letters change: `toLowerCase` would also make a `k` of
 * the Kelvin sign, which is a letter of other people's addresses.
 */
export const addressKey = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
