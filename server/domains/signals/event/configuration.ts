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
import { startSummaries } from '#server/domains/fleet/message/summary.ts';
import { eventConfigurationUpdated } from '#server/domains/people/organization/events.ts';
import { loadEventHealth } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { durationText, presentDuration, presentTimestamp } from '#server/wire/present.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

/** The contract specifies no minimum. Summaries run once a minute. */
const MIN_PERIOD_S = 5 * 60;
/** The contract specifies no maximum. Messages are stored for three months. */
const MAX_PERIOD_S = 31 * 24 * 3600;

type SummaryRow = typeof messageSummary.$inferSelect;
type Summary = Pick<SummaryRow, 'enabled' | 'period' | 'alignTo' | 'timeZone' | 'includeEmpty'>;

const SUMMARY_OFF: Summary = { enabled: false, period: null, alignTo: null, timeZone: 'UTC', includeEmpty: false };

/** Returns the configuration, with every type that affects health. A default level has no dates. */
export async function readEventConfiguration(db: Executor, organization: string): Promise<EventConfiguration> {
  const summary = (await findSummary(db, organization)) ?? SUMMARY_OFF;
  const health = await loadEventHealth(db, organization);
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

async function findSummary(db: Executor, organization: string): Promise<SummaryRow | undefined> {
  const [row] = await db.select().from(messageSummary).where(eq(messageSummary.organization, organization));
  return row;
}

/**
 * Replaces the whole summary configuration if the request has one. Ignores the health list, which has its own rpc
 * (contract: UpdateEventConfiguration).
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
  const summary = request.messageSummaryConfiguration && readSummary(request.messageSummaryConfiguration, now);
  return app.db.transaction(async (tx) => {
    if (summary !== undefined) {
      await tx
        .insert(messageSummary)
        .values({ organization, ...SUMMARY_OFF })
        .onConflictDoNothing();
      const [storedRow] = await tx
        .select()
        .from(messageSummary)
        .where(eq(messageSummary.organization, organization))
        .for('update');
      const before: Summary = storedRow ?? SUMMARY_OFF;
      const fields = changedFields(before, summary);
      if (fields.size > 0) {
        await tx.update(messageSummary).set(summary).where(eq(messageSummary.organization, organization));
        if (summary.enabled) await startSummaries(tx, organization, now);
        await recordEvents(tx, [summaryUpdated(organization, now, summary, fields)]);
      }
    }
    return readEventConfiguration(tx, organization);
  });
}

function readSummary(configuration: EventConfiguration_MessageSummaryConfiguration, now: Date): Summary {
  const field = 'message_summary_configuration.period';
  const period = Math.round(readDuration(configuration.period, field) ?? 0);
  if (period === 0 && configuration.enabled)
    throw invalidArgument(`Enabled summaries need "${field}", for example 1d.`);
  if (period !== 0 && (period < MIN_PERIOD_S || period > MAX_PERIOD_S)) {
    throw invalidArgument(
      `"${field}" must be between ${durationText(MIN_PERIOD_S)} and ${durationText(MAX_PERIOD_S)}.`,
    );
  }
  const alignment = configuration.alignToTime;
  return {
    enabled: configuration.enabled,
    period: period || null,
    alignTo: readTimestamp(alignment, now, 'message_summary_configuration.align_to_time') ?? null,
    timeZone: readZone(alignment?.timeZone),
    includeEmpty: configuration.includeEmptySummaries,
  };
}

function readZone(name = ''): string {
  if (name.trim() === '') return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name.trim() }).resolvedOptions().timeZone;
  } catch {
    throw invalidArgument(
      '"message_summary_configuration.align_to_time" has an unknown time zone. Enter a name such as Europe/Amsterdam.',
    );
  }
}

function changedFields(before: Summary, after: Summary): ReadonlySet<keyof Summary> {
  const fields = new Set<keyof Summary>();
  if (before.enabled !== after.enabled) fields.add('enabled');
  if (before.period !== after.period) fields.add('period');
  if (before.alignTo?.getTime() !== after.alignTo?.getTime()) fields.add('alignTo');
  if (before.timeZone !== after.timeZone) fields.add('timeZone');
  if (before.includeEmpty !== after.includeEmpty) fields.add('includeEmpty');
  return fields;
}

/** Creates an event that contains only the changed fields. It has no field for including empty summaries. */
function summaryUpdated(organization: string, time: Date, summary: Summary, fields: ReadonlySet<keyof Summary>) {
  const { enabled, period, alignTo, timeZone } = summary;
  const alignmentChanged = fields.has('alignTo') || fields.has('timeZone');
  return eventConfigurationUpdated(organization, time, {
    title: 'Event configuration updated',
    description: enabled
      ? `Message summaries are on, every ${durationText(period ?? 0)}.`
      : 'Message summaries are off.',
    messageSummaryUpdate: {
      ...(fields.has('enabled') ? { state: enabled, enabled: { updated: true, value: enabled } } : {}),
      ...(fields.has('period') ? { period: presentDuration(period ?? 0) } : {}),
      ...(alignmentChanged && alignTo ? { alignToTime: presentTimestamp(alignTo, timeZone) } : {}),
    },
  });
}
