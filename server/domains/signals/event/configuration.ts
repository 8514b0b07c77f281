import { create } from '@bufbuild/protobuf';
import { eq } from 'drizzle-orm';
import {
  type EventConfiguration,
  type EventConfiguration_MessageSummaryConfiguration,
  EventConfigurationSchema,
} from '#proto/gen/hiber/event_service_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { messageSummary } from '#server/db/schema/event-configuration.ts';
import { effectiveHealth } from '#server/events/event-health.ts';
import { startSummaries } from '#server/domains/fleet/message/summary.ts';
import { eventConfigurationUpdated } from '#server/domains/people/organization/events.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { durationText, presentDuration, presentTimestamp } from '#server/wire/present.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

/** Not stated: summaries are looked for once a minute, and messages are kept for three months. In seconds. */
const SHORTEST_PERIOD = 5 * 60;
const LONGEST_PERIOD = 31 * 24 * 3600;

type SummaryRow = typeof messageSummary.$inferSelect;
type Summary = Pick<SummaryRow, 'enabled' | 'period' | 'alignTo' | 'timeZone' | 'includeEmpty'>;

const off: Summary = { enabled: false, period: null, alignTo: null, timeZone: 'UTC', includeEmpty: false };

/** Every type that affects health is listed; a level nobody chose is the default and has no dates. */
export async function eventConfiguration(db: Executor, organization: string): Promise<EventConfiguration> {
  const summary = (await storedSummary(db, organization)) ?? off;
  const health = await effectiveHealth(db, organization);
  return create(EventConfigurationSchema, {
    organization,
    messageSummaryConfiguration: {
      enabled: summary.enabled,
      period: summary.period === null ? undefined : presentDuration(summary.period),
      alignToTime: summary.alignTo ? presentTimestamp(summary.alignTo, summary.timeZone) : undefined,
      includeEmptySummaries: summary.includeEmpty,
    },
    eventHealthLevelConfiguration: health.map(({ type, level, expiry, createdAt, updatedAt }) => ({
      type,
      level,
      expiry: expiry === undefined ? undefined : presentDuration(expiry),
      createdAt: createdAt && presentTimestamp(createdAt),
      updatedAt: updatedAt && presentTimestamp(updatedAt),
    })),
  });
}

async function storedSummary(db: Executor, organization: string): Promise<SummaryRow | undefined> {
  const [row] = await db.select().from(messageSummary).where(eq(messageSummary.organization, organization));
  return row;
}

/**
 * Replaces the summary configuration whole, where the request has one; the health list is ignored, as it has an rpc of
 * its own (contract: UpdateEventConfiguration).
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export async function updateEventConfiguration(
  app: App,
  caller: Scope,
  request: EventConfiguration,
): Promise<EventConfiguration> {
  const { organization } = caller;
  const now = app.now();
  const wanted = request.messageSummaryConfiguration && readSummary(request.messageSummaryConfiguration, now);
  return app.db.transaction(async (tx) => {
    if (wanted !== undefined) {
      await tx
        .insert(messageSummary)
        .values({ organization, ...off })
        .onConflictDoNothing();
      const [stored] = await tx
        .select()
        .from(messageSummary)
        .where(eq(messageSummary.organization, organization))
        .for('update');
      const before: Summary = stored ?? off;
      const changed = changes(before, wanted);
      if (changed.size > 0) {
        await tx.update(messageSummary).set(wanted).where(eq(messageSummary.organization, organization));
        if (wanted.enabled) await startSummaries(tx, organization, now);
        await recordEvents(tx, [updated(organization, now, wanted, changed)]);
      }
    }
    return eventConfiguration(tx, organization);
  });
}

function readSummary(given: EventConfiguration_MessageSummaryConfiguration, now: Date): Summary {
  const field = 'message_summary_configuration.period';
  const period = Math.round(readDuration(given.period, field) ?? 0);
  if (period === 0 && given.enabled) throw invalidArgument(`Enabled summaries need a ${field}, for example 1d.`);
  if (period !== 0 && (period < SHORTEST_PERIOD || period > LONGEST_PERIOD)) {
    throw invalidArgument(
      `${field} must be between ${durationText(SHORTEST_PERIOD)} and ${durationText(LONGEST_PERIOD)}.`,
    );
  }
  const align = given.alignToTime;
  return {
    enabled: given.enabled,
    period: period || null,
    alignTo: readTimestamp(align, now, 'message_summary_configuration.align_to_time') ?? null,
    timeZone: readZone(align?.timeZone),
    includeEmpty: given.includeEmptySummaries,
  };
}

function readZone(name = ''): string {
  if (name.trim() === '') return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name.trim() }).resolvedOptions().timeZone;
  } catch {
    throw invalidArgument(
      'message_summary_configuration.align_to_time has an unknown time zone: write a name such as Europe/Amsterdam.',
    );
  }
}

function changes(before: Summary, wanted: Summary): ReadonlySet<keyof Summary> {
  const changed = new Set<keyof Summary>();
  if (before.enabled !== wanted.enabled) changed.add('enabled');
  if (before.period !== wanted.period) changed.add('period');
  if (before.alignTo?.getTime() !== wanted.alignTo?.getTime()) changed.add('alignTo');
  if (before.timeZone !== wanted.timeZone) changed.add('timeZone');
  if (before.includeEmpty !== wanted.includeEmpty) changed.add('includeEmpty');
  return changed;
}

/** Only what changed is present; whether empty summaries are included has no member in the event. */
function updated(organization: string, time: Date, wanted: Summary, changed: ReadonlySet<keyof Summary>) {
  const { enabled, period, alignTo, timeZone } = wanted;
  const moved = changed.has('alignTo') || changed.has('timeZone');
  return eventConfigurationUpdated(organization, time, {
    title: 'Event configuration updated',
    description: enabled
      ? `Message summaries are made every ${durationText(period ?? 0)}.`
      : 'Message summaries are turned off.',
    messageSummaryUpdate: {
      ...(changed.has('enabled') ? { state: enabled, enabled: { updated: true, value: enabled } } : {}),
      ...(changed.has('period') ? { period: presentDuration(period ?? 0) } : {}),
      ...(moved && alignTo ? { alignToTime: presentTimestamp(alignTo, timeZone) } : {}),
    },
  });
}
