import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';

/**
 * Builds a predicate by the contract's Filter.* rule, for items with any number of values (an event has several tags,
 * and one device or none): an empty include keeps everything, exclude takes precedence over include, and an include
 * drops items without any value.
 */
export function includeExcludeMatcher<T>({ include, exclude }: IncludeExclude<T>): (values: readonly T[]) => boolean {
  const included = new Set(include);
  const excluded = new Set(exclude);
  return (values) =>
    !values.some((value) => excluded.has(value)) &&
    (included.size === 0 || values.some((value) => included.has(value)));
}
