import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';

/**
 * Builds a predicate for the contract's Filter.* rule. An item can have any number of values. An event, for example,
 * has any number of tags and at most one device. An empty include matches every item, but a non-empty include does not
 * match an item that has no values. Exclude takes precedence over include.
 */
export function includeExcludeMatcher<T>({ include, exclude }: IncludeExclude<T>): (values: readonly T[]) => boolean {
  const includedValues = new Set(include);
  const excludedValues = new Set(exclude);
  return (values) =>
    !values.some((value) => excludedValues.has(value)) &&
    (includedValues.size === 0 || values.some((value) => includedValues.has(value)));
}
