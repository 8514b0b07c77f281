import { eq } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import type { Scope } from '#server/session/scope.ts';

/** Loads the organization's name and the console's URL, for emails. */
export async function loadMailContext(
  { config }: { readonly config: Pick<App['config'], 'origin'> },
  orm: Executor,
  id: string,
) {
  const [row] = await orm.select({ name: organization.displayName }).from(organization).where(eq(organization.id, id));
  return { origin: config.origin, organization: row?.name ?? id };
}

/** Returns the caller's name, for emails. */
export const callerName = ({ session: { user } }: Scope): string => user.name || user.email;
