import { create } from '@bufbuild/protobuf';
import { and, asc, eq, inArray } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import {
  type UserActivitySummaryRequest,
  type UserActivitySummaryRequest_Response,
  UserActivitySummaryRequest_ResponseSchema,
} from '#proto/gen/hiber/user_pb.ts';
import { clientNames } from '#server/app/activity.ts';
import type { App } from '#server/app/app.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { loadChildOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import type { Scope } from '#server/session/scope.ts';
import { presentDate, readDate } from '#server/wire/dates.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** The same as the number of days that activity is kept (activity-upkeep.ts). */
const MAX_DATES = 400;

type Row = typeof userActivity.$inferSelect;

/**
 * Summarizes a user's activity on the requested days in UTC, by default today (not specified in the contract). Calls
 * from the last few seconds can be missing. Includes days without activity for the organization itself, but not for its
 * descendants.
 */
export async function summarizeActivity(
  app: App,
  caller: Scope,
  request: UserActivitySummaryRequest,
): Promise<UserActivitySummaryRequest_Response> {
  const userId = request.userId.trim();
  if (userId === '') throw invalidArgument("Specify the user's id.");
  if (request.dates.length > MAX_DATES) throw invalidArgument(`Request at most ${MAX_DATES} dates at a time.`);
  const requestedDates = request.dates.map((date, index) => readDate(date, `dates[${index}]`));
  const dates = requestedDates.length === 0 ? [app.now().toISOString().slice(0, 10)] : [...new Set(requestedDates)];
  const children = await loadChildOrganizations(app.db.orm, caller, request.childOrganizations);
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
  const rowsByDay = groupBy(rows, ({ organization, date }) => `${organization} ${date}`);
  return create(UserActivitySummaryRequest_ResponseSchema, {
    summaries: dates.flatMap((date) =>
      [caller.organization, ...children].flatMap((organization) => {
        const dayRows = rowsByDay.get(`${organization} ${date}`) ?? [];
        return dayRows.length === 0 && organization !== caller.organization
          ? []
          : [{ organization, userId, date: presentDate(date), ...summarize(dayRows) }];
      }),
    ),
  });
}

function summarize(rows: readonly Row[]) {
  const usesAny = (names: readonly string[]) => rows.some(({ client }) => names.includes(client));
  return {
    actions: [...new Set(rows.map(({ action }) => action))],
    totalRequests: rows.reduce((total, { requests }) => total + requests, 0),
    usedMissionControl: usesAny(clientNames.usedMissionControl),
    usedHiberCli: usesAny(clientNames.usedHiberCli),
    usedHiberApp: usesAny(clientNames.usedHiberApp),
  };
}
