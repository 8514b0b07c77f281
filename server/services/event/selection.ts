import { and, eq, sql } from 'drizzle-orm';
import type { EventSelection } from '#proto/hiber/event_service_pb';
import type { EventType } from '#proto/hiber/event_type_pb';
import type { Executor } from '#server/db/database';
import { device } from '#server/db/schema/device';
import { webhook } from '#server/db/schema/webhook';
import type { EventFilter } from '../../events/filter.ts';
import { allEventTypes, permissionForEvent, visibleEventTypes } from '../../events/visibility.ts';
import type { Scope } from '../../session/scope.ts';
import { deviceNumber } from '../shared/device-number.ts';
import { notFound, some } from '../shared/errors.ts';
import { isHidden } from '../shared/lifecycles.ts';
import { readTimeRange } from '../shared/timestamps.ts';

/**
 * What the caller asks for, within what the caller may see: types without permission are left out silently, unless they are named.
 *
 * @throws ConnectError PERMISSION_DENIED for a named type without its permission, NOT_FOUND for a named device that does not exist or is
 * not to be seen, INVALID_ARGUMENT for what cannot be read
 */
export async function eventFilter(
  db: Executor,
  caller: Scope,
  selection: EventSelection | undefined,
  now: Date,
): Promise<EventFilter> {
  const devices = {
    include: (selection?.modems?.include ?? []).map(deviceNumber),
    exclude: (selection?.modems?.exclude ?? []).map(deviceNumber),
  };
  await requireDevices(db, caller, devices.include);
  return {
    types: typesFor(caller, selection?.events),
    devices,
    publishers: await publishersFor(db, caller, selection?.publishers),
    tags: {
      include: (selection?.tags?.include ?? []).map(Number),
      exclude: (selection?.tags?.exclude ?? []).map(Number),
    },
    healthLevels: selection?.healthLevels ?? [],
    ...readTimeRange(selection?.timeRange, now, 'selection.time_range'),
    includeResolved: selection?.includeResolvedEvents ?? false,
    allLifecycles: caller.allLifecycles,
  };
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

/** Naming a device that is not accessible is an error, not an omission (contract: Filter). */
async function requireDevices(db: Executor, caller: Scope, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  const found = await db
    .select({ number: device.number, lifecycle: device.lifecycle })
    .from(device)
    .where(
      and(
        eq(device.organization, caller.organization),
        sql`${device.number} = any(${sql.param([...numbers])}::text[])`,
      ),
    );
  const accessible = new Set(
    found.filter(({ lifecycle }) => caller.allLifecycles || !isHidden(lifecycle)).map(({ number }) => number),
  );
  const missing = numbers.filter((number) => !accessible.has(number));
  if (missing.length > 0) throw notFound(`${caller.organization} has no device ${some(missing)} that you can see.`);
}

/** `only_active` is settled when the request comes in: for a stream, the publishers that are active when it starts. */
async function publishersFor(
  db: Executor,
  caller: Scope,
  filter: EventSelection['publishers'],
): Promise<EventFilter['publishers']> {
  const include = (filter?.include ?? []).map(Number);
  const exclude = (filter?.exclude ?? []).map(Number);
  if (!filter?.onlyActive) return { include: include.length > 0 ? include : undefined, exclude };
  const active = await db
    .select({ id: webhook.id })
    .from(webhook)
    .where(and(eq(webhook.organization, caller.organization), eq(webhook.disabled, false)));
  const ids = active.map(({ id }) => id);
  return { include: include.length > 0 ? ids.filter((id) => include.includes(id)) : ids, exclude };
}
