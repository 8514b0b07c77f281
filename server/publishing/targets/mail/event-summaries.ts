import { groupBy } from '#commands/text/group-by.ts';
import type { EventSummary } from '#server/db/schema/mail.ts';
import type { NewEvent } from '#server/events/new-event.ts';

/** The maximum number of events per kind that are shown in full. */
const MAX_SAMPLES = 5;

type Kind = Pick<EventSummary, 'type' | 'title' | 'level' | 'notInstalled'>;

const nameOf = ({ type, title, level, notInstalled }: Kind): string =>
  JSON.stringify([type, title, level ?? null, notInstalled ?? false]);

const toKind = ({ event, notInstalled }: NewEvent): Kind => ({
  type: event.type,
  title: event.title,
  ...(event.healthLevel ? { level: event.healthLevel.level } : {}),
  ...(notInstalled ? { notInstalled } : {}),
});

/** An event and its kind's name, computed once for any number of filters. */
export interface ClassifiedEvent {
  readonly newEvent: NewEvent;
  readonly kind: string;
}

export const classify = (newEvent: NewEvent): ClassifiedEvent => ({ newEvent, kind: nameOf(toKind(newEvent)) });

/** Groups events by kind, in the order of their first event. */
export function summarize(events: readonly ClassifiedEvent[]): EventSummary[] {
  return [...groupBy(events, ({ kind }) => kind).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const kind = toKind(first.newEvent);
    return {
      ...kind,
      count: group.length,
      // List only unhealthy devices. Otherwise, a fleet's messages would fill the rows with its device numbers.
      devices:
        kind.level === undefined
          ? []
          : uniqueNumbers(group.flatMap(({ newEvent }) => newEvent.event.device?.number ?? [])),
      samples: group.slice(0, MAX_SAMPLES).map(({ newEvent: { time, event } }) => ({
        time: time.toISOString(),
        description: event.description,
      })),
    };
  });
}

/** Merges the summaries of several transactions into one. */
export function mergeSummaries(summaries: readonly EventSummary[]): EventSummary[] {
  return [...groupBy(summaries, nameOf).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      ...first,
      count: group.reduce((sum, { count }) => sum + count, 0),
      devices: uniqueNumbers(group.flatMap(({ devices }) => devices)),
      samples: group.flatMap(({ samples }) => samples).slice(0, MAX_SAMPLES),
    };
  });
}

const uniqueNumbers = (numbers: readonly string[]): string[] => [...new Set(numbers)];
