import { create } from '@bufbuild/protobuf';
import { and, asc, eq, inArray } from 'drizzle-orm';
import {
  type UserActivitySummaryRequest,
  type UserActivitySummaryRequest_Response,
  UserActivitySummaryRequest_ResponseSchema,
} from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { programs } from '#server/app/activity.ts';
import type { Scope } from '#server/session/scope.ts';
import { groupBy } from '#server/base/group-by.ts';
import { childOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import { presentDate, readDate } from '#server/wire/dates.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** Activity is kept for about as long (activity-upkeep.ts). */
const MAX_DATES = 400;

type Row = typeof userActivity.$inferSelect;

/**
 * What a user did on days in UTC, the latest minutes included. Without dates: today (not stated). A day without
 * anything is told for the organization itself, and left out for those below.
 */
export async function activitySummary(
  app: App,
  caller: Scope,
  request: UserActivitySummaryRequest,
): Promise<UserActivitySummaryRequest_Response> {
  const userId = request.userId.trim();
  if (userId === '') throw invalidArgument('Name the user by their id.');
  if (request.dates.length > MAX_DATES) throw invalidArgument(`A request may ask for ${MAX_DATES} dates.`);
  const asked = request.dates.map((date, index) => readDate(date, `dates[${index}]`));
  const dates = asked.length === 0 ? [app.now().toISOString().slice(0, 10)] : [...new Set(asked)];
  const children = await childOrganizations(app.db.orm, caller, request.childOrganizations);
  await app.activity.flush();
  const rows = await app.db.orm
    .select()
    .from(userActivity)
    .where(
      and(
        inArray(userActivity.organization, [caller.organization, ...children]),
        eq(userActivity.userId, userId),
        inArray(userActivity.date, dates),
      ),
    )
    .orderBy(asc(userActivity.action), asc(userActivity.client));
  const found = groupBy(rows, ({ organization, date }) => `${organization} ${date}`);
  return create(UserActivitySummaryRequest_ResponseSchema, {
    summaries: dates.flatMap((date) =>
      [caller.organization, ...children].flatMap((organization) => {
        const done = found.get(`${organization} ${date}`) ?? [];
        return done.length === 0 && organization !== caller.organization
          ? []
          : [{ organization, userId, date: presentDate(date), ...summaryOf(done) }];
      }),
    ),
  });
}

function summaryOf(rows: readonly Row[]) {
  const used = (names: readonly string[]) => rows.some(({ client }) => names.includes(client));
  return {
    actions: [...new Set(rows.map(({ action }) => action))],
    totalRequests: rows.reduce((total, { requests }) => total + requests, 0),
    usedMissionControl: used(programs.usedMissionControl),
    usedHiberCli: used(programs.usedHiberCli),
    usedHiberApp: used(programs.usedHiberApp),
  };
}
