import { and, eq, isNull } from 'drizzle-orm';
import type { ServerConfig } from '#server/base/config.ts';
import type { Database } from '#server/db/database.ts';
import { creationToken } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { newCreationToken } from '#server/domains/people/organization/creation-tokens.ts';

/** Nobody's address: whoever reads the terminal of the server may use it. */
const TO_WHOEVER_READS = '';

/**
 * A token that makes the first organization of an installation, whose creator then is its administrator and support
 * staff, and can let others in. Each start without any organization replaces it. The demo has organizations already.
 *
 * @returns its secret, to be shown at the terminal and nowhere else; undefined where there is an organization
 */
export async function firstOrganizationToken(
  db: Database,
  { identity }: Pick<ServerConfig, 'identity'>,
  now: Date,
): Promise<string | undefined> {
  if (identity.kind !== 'google') return undefined;
  return db.transaction(async (tx) => {
    const earlier = and(eq(creationToken.email, TO_WHOEVER_READS), isNull(creationToken.usedAt));
    await tx.delete(creationToken).where(earlier);
    const [any] = await tx.select({ id: organization.id }).from(organization).limit(1);
    if (any !== undefined) return undefined;
    const { secret } = await newCreationToken(
      tx,
      { email: TO_WHOEVER_READS, issuedBy: TO_WHOEVER_READS, roles: ['administrator', 'support'] },
      now,
    );
    return secret;
  });
}
