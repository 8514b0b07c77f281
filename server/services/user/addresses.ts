import { and, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/database.ts';
import { appUser } from '../../db/schema/user.ts';
import { invalidArgument } from '../shared/errors.ts';

/** As mail systems have it (RFC 5321). */
const longest = 254;

/**
 * @returns the address without spaces around it, in the case it was written in
 * @throws ConnectError INVALID_ARGUMENT for what is no address
 */
export function emailAddress(text: string): string {
  const email = text.trim();
  if (email.length > longest || !/^[^\s@<>",;:]+@[^\s@<>",;:]+\.[^\s@<>",;:]+$/.test(email)) {
    throw invalidArgument(`"${email.slice(0, longest)}" is not an email address. Write for example anna@example.com.`);
  }
  return email;
}

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
