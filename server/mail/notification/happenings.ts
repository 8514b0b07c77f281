import type { Happening } from '#server/db/schema/mail';
import type { NewEvent } from '../../events/new-event.ts';
import { groupBy } from '../../group-by.ts';

/** Of each kind, how many are told in full. */
const mostSamples = 5;

const kindOf = ({ type, title, level, notInstalled }: Omit<Happening, 'count' | 'devices' | 'samples'>): string =>
  JSON.stringify([type, title, level ?? null, notInstalled ?? false]);

/** Events by kind, in the order in which each kind first occurs. */
export function happeningsOf(events: readonly NewEvent[]): Happening[] {
  return merged(
    events.map(({ time, event, notInstalled }) => ({
      type: event.type,
      title: event.title,
      ...(event.healthLevel ? { level: event.healthLevel.level } : {}),
      ...(notInstalled ? { notInstalled: true as const } : {}),
      count: 1,
      devices: event.device ? [event.device.number] : [],
      samples: [{ time: time.toISOString(), description: event.description }],
    })),
  );
}

/** Happenings of several transactions as if they were of one. */
export function merged(happenings: readonly Happening[]): Happening[] {
  return [...groupBy(happenings, kindOf).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      ...first,
      count: group.reduce((sum, { count }) => sum + count, 0),
      devices: [...new Set(group.flatMap(({ devices }) => devices))],
      samples: group.flatMap(({ samples }) => samples).slice(0, mostSamples),
    };
  });
}
