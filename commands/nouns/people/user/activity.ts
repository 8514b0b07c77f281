import { toJson } from '@bufbuild/protobuf';

import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { UserActivitySummaryRequest_Response_UserActivitySummarySchema as DaySchema } from '#proto/gen/hiber/user_pb.ts';

import { user } from './entity.ts';
import { activity, loadActivity } from './tabs.ts';

/** Shows a member's activity over the last two weeks, and the clients they used. */
export const showActivity = command({
  id: 'user.activity',
  requires: 'MANAGE_USERS',
  effect: 'navigate',
  params: { user: required(p.ref(() => user)) },
  positional: ['user'],
  run: async (context, { user: item }) => {
    if (context.host.output) {
      const days = await loadActivity(context, item);
      const json = days.map((day) => toJson(DaySchema, day));
      context.host.output.rows({ columns: activity.columns, rows: days, json });
    } else requireCapability(context, 'panel').open(user.name, user.id(item), activity.id);
    return {};
  },
});
