/** Which webhooks want an event. */
import { and, eq, inArray } from 'drizzle-orm';
import { EventType } from '#proto/hiber/event_type_pb';
import type { Tx } from '#server/db/database';
import { webhook } from '#server/db/schema/webhook';
import type { IncludeExclude } from '#server/db/schema/publisher-filters';
import { groupBy } from '../group-by.ts';
import { keeping } from './include-exclude.ts';
import type { NewEvent } from './new-event.ts';

export interface Subscription {
  webhook: number;
  wants(event: NewEvent): boolean;
}

/** What every publisher of events, webhook or mail, can be limited to. */
export interface EventFilters {
  eventFilter: IncludeExclude<EventType>;
  deviceFilter: IncludeExclude<string>;
  tagFilter: IncludeExclude<number>;
  healthLevels: readonly string[];
  allLifecycles: boolean;
}

/**
 * The rule of contract: Filter.*, part by part: an empty include keeps everything, exclude beats include. A device,
 * tag or health level include drops events that have none. Devices in hidden lifecycles stay hidden unless whoever
 * set the filters saw them.
 */
export function passing(filters: EventFilters): (event: NewEvent) => boolean {
  const types = keeping(filters.eventFilter);
  const devices = keeping(filters.deviceFilter);
  const tags = keeping(filters.tagFilter);
  const levels = new Set(filters.healthLevels);
  return ({ event, hidden }) =>
    (!hidden || filters.allLifecycles) &&
    types([event.type]) &&
    devices(event.device ? [event.device.number] : []) &&
    tags(event.tags.map((tag) => Number(tag.id))) &&
    (levels.size === 0 || (event.healthLevel !== undefined && levels.has(event.healthLevel.level)));
}

/** Events about a publisher's own failure never go to that publisher: it could only fail at them again. */
export function subscription(filters: EventFilters & { id: number }): Subscription {
  const passes = passing(filters);
  return {
    webhook: filters.id,
    wants: (event) => !(event.publisher === filters.id && aboutFailure(event.event.type)) && passes(event),
  };
}

function aboutFailure(type: EventType): boolean {
  return type === EventType.PUBLISHER_FAILED || type === EventType.PUBLISHER_AUTO_DISABLED;
}

/** The enabled webhooks of the organizations. A disabled webhook misses what happens meanwhile. */
export async function subscriptions(
  tx: Tx,
  organizations: readonly string[],
): Promise<Map<string, readonly Subscription[]>> {
  const rows = await tx
    .select({
      organization: webhook.organization,
      id: webhook.id,
      eventFilter: webhook.eventFilter,
      deviceFilter: webhook.deviceFilter,
      tagFilter: webhook.tagFilter,
      healthLevels: webhook.healthLevels,
      allLifecycles: webhook.allLifecycles,
    })
    .from(webhook)
    .where(and(inArray(webhook.organization, [...organizations]), eq(webhook.disabled, false)));
  return new Map(
    [...groupBy(rows, (row) => row.organization)].map(([organization, group]) => [
      organization,
      group.map(subscription),
    ]),
  );
}
