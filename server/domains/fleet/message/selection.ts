import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm';

import type { MessageSelection } from '#proto/gen/hiber/message_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

/**
 * Resolves a selection to a condition on `message` joined with its `device`. The time range is inclusive and applies to
 * the time sent.
 *
 * @throws ConnectError INVALID_ARGUMENT for invalid values, NOT_FOUND for a named device that isn't accessible
 */
export async function resolveMessageSelection(
  db: Executor,
  caller: Scope,
  selection: MessageSelection | undefined,
  now: Date,
): Promise<SQL | undefined> {
  const criteria = readModemCriteria(selection?.modemSelection, now);
  await requireIncludedDevices(db, deviceScope(caller), criteria);
  const { start, end } = readTimeRange(selection?.timeRange, now, 'selection.time_range');
  // With this option, the bound is a local time in each device's time zone, so 08:00 means 08:00 everywhere.
  const bound = (date: Date) =>
    selection?.overrideTimeRangeWithModemTimeZone
      ? sql`((${date.toISOString()}::timestamptz at time zone 'UTC') at time zone coalesce(${device.timeZone}, 'UTC'))`
      : sql`${date.toISOString()}::timestamptz`;
  const ids = (selection?.modemMessageIds ?? []).map(Number);
  return and(
    eq(message.organization, caller.organization),
    // Repeat the condition on the device, because the planner can't derive it from the join but needs it to use the
    // index.
    criteria.numbers.include.length > 0
      ? sql`${message.number} = any(${sql.param(criteria.numbers.include)}::text[])`
      : undefined,
    deviceWhere(deviceScope(caller), criteria),
    start && gte(message.sentAt, bound(start)),
    end && lte(message.sentAt, bound(end)),
    ids.length > 0 ? sql`${message.id} = any(${sql.param(ids)}::bigint[])` : undefined,
  );
}
