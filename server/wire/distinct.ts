import { invalidArgument } from './errors.ts';

/**
 * Requires that no two items have the same key. Using only one of two such items would lose what the caller sent.
 *
 * @throws ConnectError INVALID_ARGUMENT with the message for the first item whose key an earlier one has
 */
export function requireDistinct<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
  message: (repeatedItem: Item) => string,
): void {
  const keys = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (keys.has(key)) throw invalidArgument(message(item));
    keys.add(key);
  }
}
