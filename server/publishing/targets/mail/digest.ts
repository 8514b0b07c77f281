import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/database.ts';
import { emailNotification, emailPending, type Happening } from '#server/db/schema/mail.ts';
import { organization } from '#server/db/schema/organization.ts';
import { healthLevels } from '#server/events/health-level.ts';
import type { App } from '#server/app/app.ts';
import { groupBy } from '#server/base/group-by.ts';
import { type NewMail, queueMail } from '#server/mail/queue.ts';
import { merged } from './event-summaries.ts';
import { headline, letter } from './digest-text.ts';
import { type Reader, readersOf } from './recipients.ts';

type Needed = Pick<App, 'db' | 'config' | 'secrets' | 'now'>;

/** Seconds between two mails to one person about one organization, so that a burst is one mail. */
const PAUSE = 60;
/** Rows read at once; a fleet of which everybody wants to hear everything makes some hundred a minute. */
const MAX_ROWS = 5_000;

/**
 * Queues a mail for everybody of an organization who has something to be told and was not mailed within the pause.
 *
 * @returns whether somebody is still to be told
 */
export const tellPeople = (app: Needed, organizationId: string): Promise<boolean> =>
  app.db.transaction(async (tx) => {
    // Another process is at it: the mails that it is about to make are not visible yet.
    const { rows: locks } = await tx.execute<{ ours: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtext('quarterdeck.notification'), hashtext(${organizationId})) as ours`);
    if (locks[0]?.ours !== true) return true;
    await tell(tx, app, organizationId);
    return (await tx.$count(emailPending, eq(emailPending.organization, organizationId))) > 0;
  });

async function tell(tx: Tx, app: Needed, slug: string): Promise<void> {
  const now = app.now();
  const users = await dueUsers(tx, slug, new Date(now.getTime() - PAUSE * 1000));
  if (users.length === 0) return;
  const pending = await pendingFor(tx, slug, users);
  const [place] = await tx
    .select({ name: organization.displayName })
    .from(organization)
    .where(eq(organization.id, slug));
  const told = lettersTo(await readersOf(tx, slug, users), pending, {
    origin: app.config.origin,
    organization: slug,
    name: place?.name ?? slug,
    levels: (await healthLevels(tx, slug)).map(({ level }) => level),
  });
  const mails = await queueMail(
    app,
    tx,
    told.map(({ mail }) => mail),
  );
  if (told.length > 0) {
    await tx
      .insert(emailNotification)
      .values(
        told.map(({ userId, title }, index) => ({ organization: slug, userId, title, time: now, mail: mails[index] })),
      );
  }
  await forget(tx, slug, users, pending.at(-1)?.id ?? 0);
}

async function dueUsers(tx: Tx, slug: string, since: Date): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select distinct reader.id from email_pending p cross join unnest(p.users) as reader (id)
    where p.organization = ${slug} and not exists (select from email_notification n
      where n.organization = p.organization and n.user_id = reader.id and n.time > ${since.toISOString()}::timestamptz)
    order by reader.id`);
  return rows.map(({ id }) => id);
}

type Pending = Pick<typeof emailPending.$inferSelect, 'id' | 'users' | 'happenings'>;

const pendingFor = (tx: Tx, slug: string, users: readonly string[]): Promise<Pending[]> =>
  tx
    .select({ id: emailPending.id, users: emailPending.users, happenings: emailPending.happenings })
    .from(emailPending)
    .where(and(eq(emailPending.organization, slug), sql`${emailPending.users} && ${sql.param([...users])}::text[]`))
    .orderBy(asc(emailPending.id))
    .limit(MAX_ROWS);

/** People with the same rows and rights read the same: it is put together once. */
function lettersTo(
  readers: readonly Reader[],
  pending: readonly Pending[],
  place: Parameters<typeof letter>[2],
): { userId: string; title: string; mail: NewMail }[] {
  const alike = groupBy(readers, ({ id, types, allLifecycles }) => {
    const rows = pending.filter(({ users }) => users.includes(id)).map((row) => row.id);
    return JSON.stringify([rows, [...types], allLifecycles]);
  });
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const rows = pending.filter(({ users }) => users.includes(first.id));
    const happenings = merged(rows.flatMap((row) => row.happenings.filter((happening) => mayKnow(first, happening))));
    if (happenings.length === 0) return [];
    const title = headline(happenings, place.levels);
    return group.map(({ id, email }) => ({ userId: id, title, mail: letter(email, happenings, place) }));
  });
}

const mayKnow = ({ types, allLifecycles }: Reader, { type, notInstalled }: Happening): boolean =>
  types.has(type) && (notInstalled !== true || allLifecycles);

/** Told, or not to be told: up to the last row that was read. */
async function forget(tx: Tx, slug: string, users: readonly string[], last: number): Promise<void> {
  await tx.execute(sql`
    update email_pending set users = array(select unnest(users) except select unnest(${sql.param([...users])}::text[]))
    where organization = ${slug} and id <= ${last} and users && ${sql.param([...users])}::text[]`);
  await tx.execute(sql`delete from email_pending where organization = ${slug} and users = '{}'`);
}
