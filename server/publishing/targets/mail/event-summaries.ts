import type { Happening } from '#server/db/schema/mail.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { groupBy } from '#server/base/group-by.ts';

/** Of each kind, how many are told in full. */
const MAX_SAMPLES = 5;

type Kind = Pick<Happening, 'type' | 'title' | 'level' | 'notInstalled'>;

const nameOf = ({ type, title, level, notInstalled }: Kind): string =>
  JSON.stringify([type, title, level ?? null, notInstalled ?? false]);

const kindOf = ({ event, notInstalled }: NewEvent): Kind => ({
  type: event.type,
  title: event.title,
  ...(event.healthLevel ? { level: event.healthLevel.level } : {}),
  ...(notInstalled ? { notInstalled } : {}),
});

/** An event and the name of its kind, which is worked out once however many filters it is held against. */
export interface Classified {
  readonly happened: NewEvent;
  readonly kind: string;
}

export const classified = (happened: NewEvent): Classified => ({ happened, kind: nameOf(kindOf(happened)) });

/** Events by kind, in the order in which each kind first occurs. */
export function happeningsOf(events: readonly Classified[]): Happening[] {
  return [...groupBy(events, ({ kind }) => kind).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const kind = kindOf(first.happened);
    return {
      ...kind,
      count: group.length,
      // Only devices in trouble are counted: a fleet that reports would fill the rows with its numbers.
      devices:
        kind.level === undefined ? [] : unique(group.flatMap(({ happened }) => happened.event.device?.number ?? [])),
      samples: group.slice(0, MAX_SAMPLES).map(({ happened: { time, event } }) => ({
        time: time.toISOString(),
        description: event.description,
      })),
    };
  });
}

/** Happenings of several transactions as if they were of one. */
export function merged(happenings: readonly Happening[]): Happening[] {
  return [...groupBy(happenings, nameOf).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      ...first,
      count: group.reduce((sum, { count }) => sum + count, 0),
      devices: unique(group.flatMap(({ devices }) => devices)),
      samples: group.flatMap(({ samples }) => samples).slice(0, MAX_SAMPLES),
    };
  });
}

const unique = (numbers: readonly string[]): string[] => [...new Set(numbers)];
