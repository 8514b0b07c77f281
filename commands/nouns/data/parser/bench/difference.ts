import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** The result of parsing a message with a definition. */
export type Trial = { readonly fields: JsonObject } | { readonly error: string };

/**
 * The verdict on a message, the most urgent first. Without an old definition to compare with, a message only fails or
 * works.
 */
export const VERDICTS = ['nowFails', 'fails', 'changed', 'nowWorks', 'works', 'same'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A value that differs. `before` is absent for a new value, and `after` for a removed one. */
export interface ValueChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Difference {
  readonly verdict: Verdict;
  /** The first few changes. */
  readonly changes: readonly ValueChange[];
  readonly changeCount: number;
  /** Why the new definition fails, even if the old one failed as well. */
  readonly error?: string;
}

/** The number of changes to keep per message: a result can have thousands of values. */
const MAX_CHANGES = 100;

/** Compares the results of two definitions for the same message. */
export function differenceOf(before: Trial | undefined, after: Trial): Difference {
  const unchanged = { changes: [], changeCount: 0 };
  if ('error' in after) return { verdict: failureVerdict(before), ...unchanged, error: after.error };
  if (before === undefined) return { verdict: 'works', ...unchanged };
  if ('error' in before) return { verdict: 'nowWorks', ...unchanged };
  const changes = changesBetween(before.fields, after.fields);
  return {
    verdict: changes.length === 0 ? 'same' : 'changed',
    changes: changes.slice(0, MAX_CHANGES),
    changeCount: changes.length,
  };
}

function failureVerdict(before: Trial | undefined): Verdict {
  if (before === undefined) return 'fails';
  return 'error' in before ? 'same' : 'nowFails';
}

/** True if the new definition can't parse the message, and the old one could or doesn't exist. */
export const isFailure = (verdict: Verdict): boolean => verdict === 'nowFails' || verdict === 'fails';

function changesBetween(before: JsonObject, after: JsonObject): readonly ValueChange[] {
  const old = leavesOf(before);
  const current = leavesOf(after);
  const paths = [...current.keys(), ...[...old.keys()].filter((path) => !current.has(path))];
  return paths.flatMap((path) => {
    const [oldText, text] = [old.get(path), current.get(path)];
    if (oldText === text) return [];
    return [
      { path, ...(oldText === undefined ? {} : { before: oldText }), ...(text === undefined ? {} : { after: text }) },
    ];
  });
}

/** Returns the values of a result by path, as JSON. An empty list or map is a value. */
function leavesOf(fields: JsonObject): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const add = (value: JsonValue, path: string): void => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (entries.length === 0) leaves.set(path, JSON.stringify(value));
    for (const [key, item] of entries) add(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  };
  for (const [key, value] of Object.entries(fields)) add(value, key);
  return leaves;
}

export type Counts = Readonly<Record<Verdict, number>>;

export const countVerdicts = (verdicts: Iterable<Verdict>): Counts => {
  const counts = { nowFails: 0, fails: 0, changed: 0, nowWorks: 0, works: 0, same: 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
};
