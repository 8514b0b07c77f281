import { create } from '@bufbuild/protobuf';
import { and, desc, eq, gte, isNotNull, isNull, lte, sql } from 'drizzle-orm';

import {
  type EmailHistorySelection,
  EmailNotificationHistoryRequest_Response_EmailSchema,
} from '#proto/gen/hiber/email_pb.ts';
import { countApproximately } from '#server/db/approximate-total.ts';
import type { Executor } from '#server/db/database.ts';
import { emailNotification, mail } from '#server/db/schema/mail.ts';
import { type Page, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

/**
 * Lists a user's emails about an organization, newest first. An email counts as failed from its first failed attempt
 * until a server accepts it.
 */
export async function listEmails(
  db: Executor,
  { organization, userId }: { organization: string; userId: string },
  selection: EmailHistorySelection | undefined,
  page: Page,
  now: Date,
) {
  const { start, end } = readTimeRange(selection?.timeRange, now, 'selection.time_range');
  const sameEmail = eq(mail.id, emailNotification.mail);
  const where = and(
    eq(emailNotification.organization, organization),
    eq(emailNotification.userId, userId),
    start && gte(emailNotification.time, start),
    end && lte(emailNotification.time, end),
    selection?.onlyFailures ? and(isNull(mail.sentAt), isNotNull(mail.error)) : undefined,
  );
  const rows = await db
    .select({ time: emailNotification.time, title: emailNotification.title, sentAt: mail.sentAt, error: mail.error })
    .from(emailNotification)
    .leftJoin(mail, sameEmail)
    .where(where)
    .orderBy(desc(emailNotification.time), desc(emailNotification.id))
    .limit(page.limit)
    .offset(page.offset);
  const from = sql`${emailNotification} left join ${mail} on ${sameEmail} where ${where}`;
  const { total, approximated } = await countApproximately(db, from, page, rows.length);
  const emails = rows.map(({ time, title, sentAt, error }) => {
    const failure = sentAt === null ? (error ?? '') : '';
    return create(EmailNotificationHistoryRequest_Response_EmailSchema, {
      time: presentTimestamp(time),
      title,
      successful: failure === '',
      error: failure,
    });
  });
  return { emails, pagination: paginationResult(page, total, approximated) };
}
