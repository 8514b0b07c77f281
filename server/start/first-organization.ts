import { and, eq, isNull } from 'drizzle-orm';

import type { ServerConfig } from '#server/base/config.ts';
import type { Database } from '#server/db/database.ts';
import { creationToken } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { createCreationToken } from '#server/domains/people/organization/creation-tokens.ts';

/** The email address of a token for anyone who can read the server's terminal. */
const ANYONE = '';

/**
 * Issues a token for creating the first organization of an installation, whose creator becomes its administrator and
 * support staff, and can admit others. Every start replaces the token until an organization exists. The demo already
 * has organizations.
 *
 * @returns the token's secret, to be shown only in the terminal; undefined if an organization exists
 */
export async function issueFirstOrganizationToken(
  db: Database,
  { identity }: Pick<ServerConfig, 'identity'>,
  now: Date,
): Promise<string | undefined> {
  if (identity.kind !== 'google') return undefined;
  return db.transaction(async (tx) => {
    const earlierTokens = and(eq(creationToken.email, ANYONE), isNull(creationToken.usedAt));
    await tx.delete(creationToken).where(earlierTokens);
    const [existing] = await tx.select({ id: organization.id }).from(organization).limit(1);
    if (existing !== undefined) return undefined;
    const { secret } = await createCreationToken(
      tx,
      { email: ANYONE, issuedBy: ANYONE, roles: ['administrator', 'support'] },
      now,
    );
    return secret;
  });
}
