import { and, count, eq } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { type RateLimit, countUse } from '#server/app/rate-limit.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessRequested } from '#server/domains/people/user/model/events.ts';
import { accessRequestMail } from '#server/domains/people/user/model/mails.ts';
import { findManagers } from '#server/domains/people/user/model/managers.ts';
import { recordEvents } from '#server/events/record.ts';
import { queueEmails } from '#server/mail/queue.ts';
import type { Session } from '#server/session/session.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

/**
 * The maximum number of open requests per person. Each request sends email to people who may not know the requester.
 */
const MAX_OPEN_REQUESTS = 10;

/**
 * Asks to join an organization and notifies its administrators by email. The response is the same if the organization
 * doesn't exist, so callers can't discover organizations. Asking again changes nothing.
 *
 * @throws ConnectError FAILED_PRECONDITION for an unverified address, because administrators use it to decide; for a
 *   member; and for too many open requests
 */
export async function requestAccess(app: App, { user, memberships }: Session, slug: string): Promise<void> {
  const id = slug.trim().toLowerCase();
  if (id === '') throw invalidArgument('Specify the organization that you want to join.');
  if (!user.emailVerified) {
    throw failedPrecondition(
      `Verify your email address ${user.email} first. Administrators use it to decide on your request.`,
    );
  }
  if (memberships.some((membership) => membership.organization === id)) {
    throw failedPrecondition(`You are already a member of "${id}".`);
  }
  await app.db.transaction(async (tx) => {
    const [openRequests] = await tx
      .select({ count: count() })
      .from(accessRequest)
      .where(eq(accessRequest.userId, user.id));
    if (openRequests !== undefined && openRequests.count >= MAX_OPEN_REQUESTS) {
      throw failedPrecondition(
        `You can ask to join at most ${MAX_OPEN_REQUESTS} organizations at a time. Withdraw a request first.`,
      );
    }
    const [target] = await tx
      .select({ id: organization.id, name: organization.displayName })
      .from(organization)
      .where(eq(organization.id, id));
    if (target === undefined) return;
    const insertedRows = await tx
      .insert(accessRequest)
      .values({ organization: target.id, userId: user.id, createdAt: app.now() })
      .onConflictDoNothing()
      .returning();
    if (insertedRows.length === 0) return;
    await recordEvents(tx, [accessRequested(target.id, user, app.now())]);
    const context = { origin: app.config.origin, organization: target.name };
    const managers = await findManagers(tx, target.id);
    const emails = managers.map(({ email }) => accessRequestMail(email, user, context, target.id));
    if ((await countUse(tx, mailLimit, `${target.id}/${user.id}`, app.now())) === undefined)
      await queueEmails(app, tx, emails);
  });
}

/** Limits emails. A request that is withdrawn and repeated is listed again, but sends no further email. */
const mailLimit: RateLimit = { name: 'access-request-mail', burst: 1, intervalMs: 24 * 3600 * 1000 };

/** Withdraws a request. Succeeds even without a request, so it reveals nothing about organizations. */
export async function cancelAccessRequest({ db }: Pick<App, 'db'>, { user }: Session, slug: string): Promise<void> {
  await db.orm
    .delete(accessRequest)
    .where(and(eq(accessRequest.userId, user.id), eq(accessRequest.organization, slug.trim().toLowerCase())));
}
