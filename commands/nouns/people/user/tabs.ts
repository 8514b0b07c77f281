import type { SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

import {
  UserService,
  type UserActivitySummaryRequest_Response_UserActivitySummary as Day,
} from '#proto/gen/hiber/user_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { Column } from '#commands/model/column.ts';
import type { ItemsTab, DetailTab } from '#commands/model/entity.ts';
import { message, type Message } from '#commands/text/message.ts';
import { dayOf } from '#commands/model/wire.ts';
import { signInDetail, signInRow, signInsOf } from '#commands/nouns/people/sign-in/entity.ts';
import type { UserItem } from './item.ts';

const SIGN_INS = 100;

/** Days that the activity of a member goes back, today included. */
export const ACTIVE_DAYS = 14;
const DAY_MS = 86_400_000;

export const sessions: DetailTab<UserItem> = {
  id: 'sessions',
  requires: 'MANAGE_USERS',
  columns: signInRow,
  limit: SIGN_INS,
  load: (context, { user, organization }) => signInsOf(context, { userId: user.id, organization }),
  key: (row) => (row as SignIn).id,
  detail: (row) => signInDetail(row as SignIn),
};

const used = (yes: boolean, which: string): Message | undefined =>
  yes ? message(`user:activity.${which}`) : undefined;

const dayColumns: readonly Column<Day>[] = [
  { id: 'date', kind: 'day', width: 100, value: ({ date }) => date?.textual, at: ({ date }) => dayOf(date) },
  {
    id: 'requests',
    kind: 'text',
    width: 110,
    value: ({ totalRequests }) => message('user:activity.requests', { count: totalRequests }),
  },
  { id: 'console', kind: 'text', width: 70, value: ({ usedMissionControl }) => used(usedMissionControl, 'console') },
  { id: 'cli', kind: 'text', width: 100, value: ({ usedHiberCli }) => used(usedHiberCli, 'cli') },
  { id: 'app', kind: 'text', width: 60, value: ({ usedHiberApp }) => used(usedHiberApp, 'app') },
];

/** What a member did on each of the last days, newest first; days without anything are left out. */
export async function activityOf(context: Context, { user, organization }: UserItem): Promise<readonly Day[]> {
  const today = context.now().getTime();
  const dates = Array.from({ length: ACTIVE_DAYS }, (_, ago) => ({
    textual: new Date(today - ago * DAY_MS).toISOString().slice(0, 10),
  }));
  const request = { organization, userId: user.id, dates };
  const { summaries } = await context.api(UserService).activity(request, { signal: context.signal });
  const dated = ({ date }: Day): string => date?.textual ?? '';
  return summaries.filter(({ totalRequests }) => totalRequests > 0).toSorted((a, b) => (dated(a) < dated(b) ? 1 : -1));
}

export const activity: DetailTab<UserItem> = {
  id: 'activity',
  requires: 'MANAGE_USERS',
  columns: dayColumns,
  // A fortnight is never too long for the panel.
  limit: Infinity,
  load: activityOf,
  key: (row) => (row as Day).date?.textual ?? '',
  detail: (row) => [{ label: message('user:activity.actions'), text: (row as Day).actions.join('\n'), mono: true }],
};

/** Members of organizations below have theirs there. */
export const tokens: ItemsTab<UserItem> = {
  id: 'tokens',
  entity: 'token',
  key: 'user',
  value: ({ user }) => user.id,
  organization: ({ organization }) => organization,
  columns: ['name', 'type', 'used'],
};
