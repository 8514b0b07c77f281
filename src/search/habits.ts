import type { Context } from '#commands/model/context.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

/** Time after which a use counts for half. */
const HALF_LIFE_MS = 14 * 86_400_000;
/** Maximum number of entries per kind. The weakest entries are removed. */
const MAX_ENTRIES = 200;

/** The weight of an entry at its last use, and the time of that use. */
type Use = readonly [weight: number, last: number];
type Habits = Readonly<Record<string, Readonly<Record<string, Use>>>>;

type Owner = Pick<Context, 'actor' | 'organization'>;

/**
 * Returns the storage key for a user in an organization. Each organization has its own habits, so Enter never picks a
 * target because of its use elsewhere. Only ids are stored, no names.
 */
function storageKey({ actor, organization }: Owner): string {
  return `quarterdeck-habits:${actor.id}:${organization.id}`;
}

function read(owner: Owner): Habits {
  const text = browserStorage.get(storageKey(owner));
  if (!text) return {};
  try {
    const storedHabits: unknown = JSON.parse(text);
    return isHabits(storedHabits) ? storedHabits : {};
  } catch {
    // The stored text has an unknown format, so start without habits.
    return {};
  }
}

function isHabits(stored: unknown): stored is Habits {
  const isUse = (use: unknown): boolean =>
    Array.isArray(use) && use.length === 2 && use.every((value) => typeof value === 'number');
  return isRecord(stored) && Object.values(stored).every((uses) => isRecord(uses) && Object.values(uses).every(isUse));
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

function weightAt([weight, last]: Use, now: number): number {
  return weight * 0.5 ** ((now - last) / HALF_LIFE_MS);
}

/** Records that a command (kind `command`) or an item (its kind is the name of its entity) was used. */
export function recordUse(owner: Owner, kind: string, id: string, now: number = Date.now()): void {
  const habits = read(owner);
  const previous = habits[kind]?.[id];
  const usage = { ...habits[kind], [id]: [1 + (previous ? weightAt(previous, now) : 0), now] as const };
  const strongest = Object.entries(usage)
    .sort(([, a], [, b]) => weightAt(b, now) - weightAt(a, now))
    .slice(0, MAX_ENTRIES);
  browserStorage.set(storageKey(owner), JSON.stringify({ ...habits, [kind]: Object.fromEntries(strongest) }));
}

/** Returns the current weights of a kind, keyed by id: 0 for never used, 1 for used once just now. */
export function weightsOf(owner: Owner, kind: string, now: number = Date.now()): ReadonlyMap<string, number> {
  return new Map(Object.entries(read(owner)[kind] ?? {}).map(([id, use]) => [id, weightAt(use, now)]));
}

/** Returns the most recently used ids, newest first. */
export function recentIds(owner: Owner, kind: string, limit: number): readonly string[] {
  return Object.entries(read(owner)[kind] ?? {})
    .sort(([, [, a]], [, [, b]]) => b - a)
    .slice(0, limit)
    .map(([id]) => id);
}
