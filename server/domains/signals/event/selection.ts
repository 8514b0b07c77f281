import { create } from '@bufbuild/protobuf';
import { and, eq } from 'drizzle-orm';

import type { EventSelection } from '#proto/gen/hiber/event_service_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import type { EventFilter } from '#server/events/filter.ts';
import { ERROR_LEVEL, WARNING_LEVEL } from '#server/events/new-event.ts';
import { allEventTypes, permissionForEvent, visibleEventTypes } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

/**
 * Resolves a selection to a filter for the events that the caller can see. Silently omits types that the caller may not
 * see, unless the selection names them.
 *
 * @throws ConnectError PERMISSION_DENIED for a named type without its permission, NOT_FOUND for a named device that
 *   doesn't exist or isn't visible, INVALID_ARGUMENT for invalid values
 */
export async function resolveEventFilter(
  db: Executor,
  caller: Scope,
  selection: EventSelection | undefined,
  now: Date,
): Promise<EventFilter> {
  const devices = {
    include: (selection?.modems?.include ?? []).map(deviceNumber),
    exclude: (selection?.modems?.exclude ?? []).map(deviceNumber),
  };
  const selectedDevices = create(ModemSelectionSchema, { modems: devices });
  await requireIncludedDevices(db, deviceScope(caller), readModemCriteria(selectedDevices, now));
  return {
    types: typesFor(caller, selection?.events),
    devices,
    publishers: await findPublishers(db, caller, selection?.publishers),
    tags: {
      include: (selection?.tags?.include ?? []).map(Number),
      exclude: (selection?.tags?.exclude ?? []).map(Number),
    },
    healthLevels: selection?.healthLevels ?? [],
    onlyLevel: flaggedLevel(selection),
    ...readTimeRange(selection?.timeRange, now, 'selection.time_range'),
    includeResolved: selection?.includeResolvedEvents ?? false,
    allLifecycles: caller.allLifecycles,
  };
}

/** The level that a deprecated flag stands for: the one that sets `is_error` or `is_warning`. */
function flaggedLevel(selection: EventSelection | undefined): string | undefined {
  if (selection?.errorsOnly && selection.warningsOnly) {
    throw invalidArgument(
      'The selection has errors_only and warnings_only, but no event is both. Send only one of them.',
    );
  }
  if (selection?.errorsOnly) return ERROR_LEVEL;
  return selection?.warningsOnly ? WARNING_LEVEL : undefined;
}

function typesFor(caller: Scope, filter: EventSelection['events']): EventType[] {
  const { include = [], exclude = [] } = filter ?? {};
  for (const type of include) {
    const permission = permissionForEvent(type);
    if (permission) caller.require(permission);
  }
  const candidates = include.length > 0 ? allEventTypes.filter((type) => include.includes(type)) : visibleTo(caller);
  return candidates.filter((type) => !exclude.includes(type));
}

const visibleTo = (caller: Scope): EventType[] => visibleEventTypes((permission) => caller.can(permission));

/** Evaluates `only_active` when the request arrives, so a stream keeps the publishers that are active when it opens. */
async function findPublishers(
  db: Executor,
  caller: Scope,
  filter: EventSelection['publishers'],
): Promise<EventFilter['publishers']> {
  const include = (filter?.include ?? []).map(Number);
  const exclude = (filter?.exclude ?? []).map(Number);
  if (!filter?.onlyActive) return { include: include.length > 0 ? include : undefined, exclude };
  const activePublishers = await db
    .select({ id: publisher.id })
    .from(publisher)
    .where(and(eq(publisher.organization, caller.organization), eq(publisher.disabled, false)));
  const ids = activePublishers.map(({ id }) => id);
  return { include: include.length > 0 ? ids.filter((id) => include.includes(id)) : ids, exclude };
}
