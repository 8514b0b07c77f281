import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import {
  type UpdateEventHealthConfiguration_Request,
  UpdateEventHealthConfiguration_RequestSchema,
  type UpdateEventHealthConfiguration_Response,
  UpdateEventHealthConfiguration_ResponseSchema,
  type UpdateEventHealthConfiguration_UpdateEventHealth,
} from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { eventHealth } from '#server/db/schema/event-configuration.ts';
import { eventConfigurationUpdated } from '#server/domains/people/organization/events.ts';
import { INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';
import { eventSource, lockHealth, refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { type EventHealth, loadEventHealth, typesWithHealth } from '#server/events/event-health.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { recordEvents } from '#server/events/record.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument, summarizeList } from '#server/wire/errors.ts';
import { durationText } from '#server/wire/present.ts';
import { shorten } from '#server/wire/text.ts';

import { readEventConfiguration } from './configuration.ts';

/** Longer than any temporary effect lasts (not specified in the contract). */
const MAX_EXPIRY_S = 10 * 365 * 24 * 3600;

/** The values of one update. Undefined leaves the stored value unchanged; null clears it. */
interface HealthUpdate {
  readonly type: EventType;
  readonly level: string | undefined;
  readonly expiry: number | null | undefined;
}

/**
 * Sets the health level and the expiry of event types in a single transaction. New events get the level, and existing
 * conditions of devices change immediately.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export async function updateEventHealth(
  app: App,
  caller: Scope,
  request: UpdateEventHealthConfiguration_Request,
): Promise<UpdateEventHealthConfiguration_Response> {
  const { organization } = caller;
  const now = app.now();
  const updates = readUpdates(request.updates);
  return app.db.transaction(async (tx) => {
    await lockHealth(tx, organization, 'exclusive');
    const levels = (await loadHealthLevels(tx, organization)).map(({ level }) => level);
    const before = await loadEventHealth(tx, organization);
    const descriptions: string[] = [];
    for (const update of updates) {
      const description = await applyUpdate(tx, organization, update, levels, before, now);
      if (description !== undefined) descriptions.push(description);
    }
    if (descriptions.length > 0) {
      const title = 'Event configuration updated';
      await recordEvents(tx, [
        eventConfigurationUpdated(organization, now, { title, description: descriptions.join(' ') }),
      ]);
    }
    return create(UpdateEventHealthConfiguration_ResponseSchema, {
      request: create(UpdateEventHealthConfiguration_RequestSchema, { ...request, organization }),
      eventConfiguration: await readEventConfiguration(tx, organization),
    });
  });
}

function readUpdates(updates: readonly UpdateEventHealthConfiguration_UpdateEventHealth[]): HealthUpdate[] {
  const seenTypes = new Set<EventType>();
  return updates.map(({ type, level, expiry, deprecatedExpiry }) => {
    const name = eventTypeName(type) ?? String(type);
    if (!typesWithHealth.includes(type)) {
      const names = typesWithHealth.map((eventType) => eventTypeName(eventType) ?? '');
      throw invalidArgument(`Events of type ${name} have no effect on health. Types that do: ${summarizeList(names)}.`);
    }
    // The contract doesn't say which of two updates for the same type applies.
    if (seenTypes.has(type)) throw invalidArgument(`"updates" lists ${name} twice. List each type once.`);
    seenTypes.add(type);
    // The new field takes precedence over the wrapper, and an updated wrapper without a value clears the expiry.
    const duration = expiry ?? (deprecatedExpiry?.updated ? deprecatedExpiry.value : undefined);
    const isCleared = expiry === undefined && deprecatedExpiry?.updated === true && duration === undefined;
    return { type, level: level.trim() || undefined, expiry: isCleared ? null : readExpiry(duration, name) };
  });
}

function readExpiry(duration: Parameters<typeof readDuration>[0], name: string): number | null | undefined {
  if (duration === undefined) return undefined;
  const seconds = readDuration(duration, `The expiry of ${name}`) ?? 0;
  if (seconds < 0 || seconds > MAX_EXPIRY_S) {
    throw invalidArgument(`The expiry of ${name} must be between 1 second and 10 years, or 0 to clear it.`);
  }
  return Math.ceil(seconds) || null;
}

/** Applies an update and returns a sentence that describes the change; undefined if nothing changed. */
async function applyUpdate(
  tx: Tx,
  organization: string,
  update: HealthUpdate,
  levels: readonly string[],
  before: readonly EventHealth[],
  now: Date,
): Promise<string | undefined> {
  const { type } = update;
  const name = eventTypeName(type) ?? '';
  const current = before.find((health) => health.type === type);
  const level = update.level ?? current?.level.level;
  if (level === undefined) {
    throw invalidArgument(`${name} has no health level yet. Specify one of ${summarizeList(levels)}.`);
  }
  if (!levels.includes(level)) {
    throw invalidArgument(`Unknown health level: "${shorten(level)}". ${organization} has ${summarizeList(levels)}.`);
  }
  const expiry = update.expiry === undefined ? (current?.expiry ?? null) : update.expiry;
  const isStored = current?.createdAt !== undefined;
  if (
    current?.level.level === level &&
    (current.expiry ?? null) === expiry &&
    (isStored || update.level === undefined)
  ) {
    return undefined;
  }
  await tx
    .insert(eventHealth)
    .values({ organization, type, level, expiry, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [eventHealth.organization, eventHealth.type],
      set: { level, expiry, updatedAt: now },
    });
  await updateConditions(tx, organization, { type, level, expiry }, now);
  const duration = expiry === null ? 'until resolved' : `for ${durationText(expiry)}`;
  return `${name} events have health level "${level}" ${duration}.`;
}

/**
 * Updates the device conditions caused by events of the type. Every alarm sets its own level except the built-in
 * inactivity alarm, so only that one is updated for ALARM_TRIGGERED.
 */
async function updateConditions(
  tx: Tx,
  organization: string,
  { type, level, expiry }: { type: EventType; level: string; expiry: number | null },
  now: Date,
): Promise<void> {
  const source = type === EventType.ALARM_TRIGGERED ? INACTIVITY_SOURCE : eventSource(type);
  const { rows } = await tx.execute<{ number: string }>(sql`
    select d.number from device d join device_condition c using (organization, number)
    where organization = ${organization} and c.source = ${source} order by d.number for update of d`);
  const numbers = rows.map(({ number }) => number);
  if (numbers.length === 0) return;
  await tx.execute(sql`
    update device_condition set health_level = ${level}, until = since + ${expiry}::int * interval '1 second',
      lapsed = lapsed or coalesce(since + ${expiry}::int * interval '1 second' <= ${now.toISOString()}::timestamptz, false)
    where organization = ${organization} and source = ${source} and number = any(${sql.param(numbers)}::text[])`);
  await refreshHealth(tx, organization, numbers);
}
