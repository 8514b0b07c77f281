import { eq } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import type { Scope } from '#server/session/scope.ts';

/** The organization as mails call it, and where its console is. */
export async function placeOf({ config }: Pick<App, 'config'>, orm: Executor, id: string) {
  const [row] = await orm.select({ name: organization.displayName }).from(organization).where(eq(organization.id, id));
  return { origin: config.origin, organization: row?.name ?? id };
}

/** The caller as mails call them. */
export const callerName = ({ session: { user } }: Scope): string => user.name || user.email;
