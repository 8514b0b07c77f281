import { and, asc, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { emailNotification, pendingEmail, type EventSummary } from '#server/db/schema/mail.ts';
import { organization } from '#server/db/schema/organization.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { type NewEmail, queueEmails } from '#server/mail/queue.ts';

import { type DigestContext, headline, digestEmail } from './digest-text.ts';
import { mergeSummaries } from './event-summaries.ts';
import { type Recipient, findRecipients } from './recipients.ts';

type Dependencies = Pick<App, 'db' | 'config' | 'secrets' | 'now'>;

/** The minimum number of seconds between emails to a user about an organization, so a burst becomes one email. */
const PAUSE_SECONDS = 60;
/**
 * The maximum number of rows per run. If everyone subscribes to everything, a fleet adds a few hundred rows a minute.
 */
const MAX_ROWS = 5000;

/**
 * Queues an email for everyone in an organization who has pending events and has received no email within
 * `PAUSE_SECONDS`.
 *
 * @returns true if someone still has pending events
 */
export const queueDigests = (app: Dependencies, organizationId: string): Promise<boolean> =>
  app.db.transaction(async (tx) => {
    // If the lock is taken, another process is creating the organization's emails and hasn't committed them yet.
    const { rows: locks } = await tx.execute<{ acquired: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtext('quarterdeck.notification'), hashtext(${organizationId})) as acquired`);
    if (locks[0]?.acquired !== true) return true;
    await queueDueDigests(tx, app, organizationId);
    return (await tx.$count(pendingEmail, eq(pendingEmail.organization, organizationId))) > 0;
  });

async function queueDueDigests(tx: Tx, app: Dependencies, slug: string): Promise<void> {
  const now = app.now();
  const users = await findDueUsers(tx, slug, new Date(now.getTime() - PAUSE_SECONDS * 1000));
  if (users.length === 0) return;
  const pending = await readPending(tx, slug, users);
  const [row] = await tx.select({ name: organization.displayName }).from(organization).where(eq(organization.id, slug));
  const digests = composeDigests(await findRecipients(tx, slug, users), pending, {
    origin: app.config.origin,
    organization: slug,
    name: row?.name ?? slug,
    levels: (await loadHealthLevels(tx, slug)).map(({ level }) => level),
  });
  const emailIds = await queueEmails(
    app,
    tx,
    digests.map(({ email }) => email),
  );
  if (digests.length > 0) {
    await tx.insert(emailNotification).values(
      digests.map(({ userId, title }, index) => ({
        organization: slug,
        userId,
        title,
        time: now,
        mail: emailIds[index],
      })),
    );
  }
  await removeUsers(tx, slug, users, pending.at(-1)?.id ?? 0);
}

async function findDueUsers(tx: Tx, slug: string, since: Date): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select distinct reader.id from email_pending p cross join unnest(p.users) as reader (id)
    where p.organization = ${slug} and not exists (select from email_notification n
      where n.organization = p.organization and n.user_id = reader.id and n.time > ${since.toISOString()}::timestamptz)
    order by reader.id`);
  return rows.map(({ id }) => id);
}

type Pending = Pick<typeof pendingEmail.$inferSelect, 'id' | 'users' | 'summaries'>;

const readPending = (tx: Tx, slug: string, users: readonly string[]): Promise<Pending[]> =>
  tx
    .select({ id: pendingEmail.id, users: pendingEmail.users, summaries: pendingEmail.summaries })
    .from(pendingEmail)
    .where(and(eq(pendingEmail.organization, slug), sql`${pendingEmail.users} && ${sql.param([...users])}::text[]`))
    .orderBy(asc(pendingEmail.id))
    .limit(MAX_ROWS);

/**
 * Composes the digests. Users with the same rows and permissions get the same body, so each body is composed only once.
 */
function composeDigests(
  recipients: readonly Recipient[],
  pending: readonly Pending[],
  context: DigestContext,
): { userId: string; title: string; email: NewEmail }[] {
  const groups = groupBy(recipients, ({ id, types, allLifecycles }) => {
    const rows = pending.filter(({ users }) => users.includes(id)).map((row) => row.id);
    return JSON.stringify([rows, [...types], allLifecycles]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const rows = pending.filter(({ users }) => users.includes(first.id));
    const summaries = mergeSummaries(rows.flatMap((row) => row.summaries.filter((summary) => maySee(first, summary))));
    if (summaries.length === 0) return [];
    const title = headline(summaries, context.levels);
    return group.map(({ id, email }) => ({ userId: id, title, email: digestEmail(email, summaries, context) }));
  });
}

const maySee = ({ types, allLifecycles }: Recipient, { type, notInstalled }: EventSummary): boolean =>
  types.has(type) && (notInstalled !== true || allLifecycles);

/** Removes users from the rows that were read, even if their email did not include those events. */
async function removeUsers(tx: Tx, slug: string, users: readonly string[], last: number): Promise<void> {
  await tx.execute(sql`
    update email_pending set users = array(select unnest(users) except select unnest(${sql.param([...users])}::text[]))
    where organization = ${slug} and id <= ${last} and users && ${sql.param([...users])}::text[]`);
  await tx.execute(sql`delete from email_pending where organization = ${slug} and users = '{}'`);
}
