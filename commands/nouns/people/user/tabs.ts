import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { ItemsTab, DetailTab } from '#commands/model/entity.ts';
import { dayOf } from '#commands/model/wire.ts';
import { signInDetail, signInColumns, listSignIns } from '#commands/nouns/people/sign-in/entity.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  UserService,
  type UserActivitySummaryRequest_Response_UserActivitySummary as Day,
} from '#proto/gen/hiber/user_pb.ts';
import type { SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

import type { UserItem } from './item.ts';

const MAX_SIGN_INS = 100;

/** The number of days of activity to show, including today. */
export const ACTIVITY_DAYS = 14;
const DAY_MS = 86_400_000;

export const sessions: DetailTab<UserItem> = {
  id: 'sessions',
  requires: 'MANAGE_USERS',
  columns: signInColumns,
  limit: MAX_SIGN_INS,
  load: (context, { user, organization }) => listSignIns(context, { userId: user.id, organization }),
  key: (row) => (row as SignIn).id,
  detail: (row) => signInDetail(row as SignIn),
};

const usedText = (isUsed: boolean, client: string): Message | undefined =>
  isUsed ? message(`user:activity.${client}`) : undefined;

const dayColumns: readonly Column<Day>[] = [
  { id: 'date', kind: 'day', width: 100, value: ({ date }) => date?.textual, time: ({ date }) => dayOf(date) },
  {
    id: 'requests',
    kind: 'text',
    width: 110,
    value: ({ totalRequests }) => message('user:activity.requests', { count: totalRequests }),
  },
  {
    id: 'console',
    kind: 'text',
    width: 70,
    value: ({ usedMissionControl }) => usedText(usedMissionControl, 'console'),
  },
  { id: 'cli', kind: 'text', width: 100, value: ({ usedHiberCli }) => usedText(usedHiberCli, 'cli') },
  { id: 'app', kind: 'text', width: 60, value: ({ usedHiberApp }) => usedText(usedHiberApp, 'app') },
];

/** Loads a member's activity per day, newest first. Omits days without activity. */
export async function loadActivity(context: Context, { user, organization }: UserItem): Promise<readonly Day[]> {
  const today = context.now().getTime();
  const dates = Array.from({ length: ACTIVITY_DAYS }, (_, daysAgo) => ({
    textual: new Date(today - daysAgo * DAY_MS).toISOString().slice(0, 10),
  }));
  const request = { organization, userId: user.id, dates };
  const { summaries } = await context.api(UserService).activity(request, { signal: context.signal });
  const dateOf = ({ date }: Day): string => date?.textual ?? '';
  return summaries
    .filter(({ totalRequests }) => totalRequests > 0)
    .toSorted((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1));
}

export const activity: DetailTab<UserItem> = {
  id: 'activity',
  requires: 'MANAGE_USERS',
  columns: dayColumns,
  // Two weeks always fit the panel.
  limit: Infinity,
  load: loadActivity,
  key: (row) => (row as Day).date?.textual ?? '',
  detail: (row) => [{ label: message('user:activity.actions'), text: (row as Day).actions.join('\n'), mono: true }],
};

/** The member's tokens for the organization that they are a member of. */
export const tokens: ItemsTab<UserItem> = {
  id: 'tokens',
  entity: 'token',
  key: 'user',
  value: ({ user }) => user.id,
  organization: ({ organization }) => organization,
  columns: ['name', 'type', 'used'],
  add: ({ user, organization }, context) =>
    organization === context.organization.id
      ? { id: 'token.create', args: { forUser: user.email || user.id } }
      : undefined,
};
