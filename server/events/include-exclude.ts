import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';

/**
 * The rule of contract: Filter.*, for something with any number of values (an event has several tags, and one device or
 * none): an empty include keeps everything, exclude beats include, and an include drops what has no value at all.
 */
export function keeping<T>({ include, exclude }: IncludeExclude<T>): (values: readonly T[]) => boolean {
  const included = new Set(include);
  const excluded = new Set(exclude);
  return (values) =>
    !values.some((value) => excluded.has(value)) &&
    (included.size === 0 || values.some((value) => included.has(value)));
}
