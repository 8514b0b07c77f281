import { and, count, eq } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { recordEvents } from '#server/events/record.ts';
import { accessRequested } from '#server/domains/people/user/model/events.ts';
import { queueMail } from '#server/mail/queue.ts';
import { type RateLimit, take } from '#server/app/rate-limit.ts';
import type { Session } from '#server/session/session.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';
import { accessRequestMail } from '#server/domains/people/user/model/mails.ts';
import { managersOf } from '#server/domains/people/user/model/managers.ts';

/** Open requests of one person: each sends mails to people who do not know them. */
const MAX_OPEN = 10;

/**
 * Asks to join an organization, whose administrators are told by mail. An organization that does not exist gets the
 * same answer as one that does, so that nobody can find out which there are; asking again changes nothing.
 *
 * @throws ConnectError FAILED_PRECONDITION without a verified address, as administrators decide by it; also for a
 *   member
 *   and for too many open requests
 */
export async function requestAccess(app: App, { user, memberships }: Session, slug: string): Promise<void> {
  const id = slug.trim().toLowerCase();
  if (id === '') throw invalidArgument('Name the organization that you want to join.');
  if (!user.emailVerified) {
    throw failedPrecondition(`Verify your email address ${user.email} first: administrators decide by it.`);
  }
  if (memberships.some((membership) => membership.organization === id)) {
    throw failedPrecondition(`You are a member of "${id}" already.`);
  }
  await app.db.transaction(async (tx) => {
    const [open] = await tx.select({ count: count() }).from(accessRequest).where(eq(accessRequest.userId, user.id));
    if (open !== undefined && open.count >= MAX_OPEN) {
      throw failedPrecondition(`You may ask to join ${MAX_OPEN} organizations at a time: withdraw a request first.`);
    }
    const [found] = await tx
      .select({ id: organization.id, name: organization.displayName })
      .from(organization)
      .where(eq(organization.id, id));
    if (found === undefined) return;
    const added = await tx
      .insert(accessRequest)
      .values({ organization: found.id, userId: user.id, createdAt: app.now() })
      .onConflictDoNothing()
      .returning();
    if (added.length === 0) return;
    await recordEvents(tx, [accessRequested(found.id, user, app.now())]);
    const place = { origin: app.config.origin, organization: found.name };
    const managers = await managersOf(tx, found.id);
    const mails = managers.map(({ email }) => accessRequestMail(email, user, place, found.id));
    if ((await take(tx, told, `${found.id}/${user.id}`, app.now())) === undefined) await queueMail(app, tx, mails);
  });
}

/** Whoever withdraws a request and asks again stands in the list again, and fills nobody's mailbox. */
const told: RateLimit = { name: 'access-request-mail', burst: 1, every: 24 * 3600 * 1000 };

/** Withdrawing what was never asked for is as good as done, for the reason that asking for it would be. */
export async function cancelAccessRequest({ db }: Pick<App, 'db'>, { user }: Session, slug: string): Promise<void> {
  await db.orm
    .delete(accessRequest)
    .where(and(eq(accessRequest.userId, user.id), eq(accessRequest.organization, slug.trim().toLowerCase())));
}
