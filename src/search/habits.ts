import type { Context } from '#commands/model/context.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

/** Each use counts half as much after this long. */
const HALF_LIFE_MS = 14 * 86_400_000;
/** Things of one kind that are remembered; the weakest are forgotten. */
const MOST = 200;

/** What a use is worth now, and when it last was one. */
type Use = readonly [weight: number, last: number];
type Habits = Readonly<Record<string, Readonly<Record<string, Use>>>>;

type Who = Pick<Context, 'actor' | 'organization'>;

/** One person in one organization: the habits of one never put another's target under Enter. Ids only, no names. */
function keyOf({ actor, organization }: Who): string {
  return `quarterdeck-habits:${actor.id}:${organization.id}`;
}

function read(who: Who): Habits {
  const text = browserStorage.get(keyOf(who));
  if (!text) return {};
  try {
    return JSON.parse(text) as Habits;
  } catch {
    // Not written by us: habits are worth nothing more than to begin anew.
    return {};
  }
}

function weighed([weight, last]: Use, now: number): number {
  return weight * 0.5 ** ((now - last) / HALF_LIFE_MS);
}

/** Remembers that something was used: a `command`, or an item of an entity by the entity's name. */
export function learn(who: Who, kind: string, id: string, now: number = Date.now()): void {
  const habits = read(who);
  const before = habits[kind]?.[id];
  const used = { ...habits[kind], [id]: [1 + (before ? weighed(before, now) : 0), now] as const };
  const kept = Object.entries(used)
    .sort(([, one], [, other]) => weighed(other, now) - weighed(one, now))
    .slice(0, MOST);
  browserStorage.set(keyOf(who), JSON.stringify({ ...habits, [kind]: Object.fromEntries(kept) }));
}

/** How much somebody uses things of a kind, by id: 0 for never, 1 for once just now. */
export function weightsOf(who: Who, kind: string, now: number = Date.now()): ReadonlyMap<string, number> {
  return new Map(Object.entries(read(who)[kind] ?? {}).map(([id, use]) => [id, weighed(use, now)]));
}

/** The ids used last, newest first. */
export function recentOf(who: Who, kind: string, limit: number): readonly string[] {
  return Object.entries(read(who)[kind] ?? {})
    .sort(([, [, one]], [, [, other]]) => other - one)
    .slice(0, limit)
    .map(([id]) => id);
}
