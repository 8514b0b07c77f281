/**
 * Finds the items whose text matches as a whole, by word prefixes, or as a substring, best match first. Equal matches
 * keep their order. Loads the scorer on first use, because a list can show its rows without it.
 */
export async function findMatches<T>(
  items: readonly T[],
  text: string,
  textOf: (item: T) => string,
): Promise<readonly T[]> {
  const { candidate, needle, scoreOf, TIER, tierOf } = await import('#commands/text/score.ts');
  const pattern = needle(text);
  if (pattern.words.length === 0) return items;
  return items
    .flatMap((item) => {
      const score = scoreOf(candidate(textOf(item)), pattern);
      const tier = score === undefined ? TIER.scattered : tierOf(score);
      return tier > TIER.scattered ? [{ item, tier }] : [];
    })
    .toSorted((a, b) => b.tier - a.tier)
    .map(({ item }) => item);
}

/** Returns the identifiers of an item that a query can match exactly. */
export type IdentifiersOf<T> = (item: T) => readonly string[];

/**
 * Returns the items with an identifier that equals the query, ignoring case. Identifiers come in order of precedence:
 * later ones count only if no item matches an earlier one.
 */
export function findExactMatches<T>(
  items: readonly T[],
  text: string,
  ...identifierReaders: readonly IdentifiersOf<T>[]
): readonly T[] {
  const query = text.trim().toLocaleLowerCase();
  for (const identifiersOf of identifierReaders) {
    const matches = items.filter((item) => identifiersOf(item).some((value) => value.toLocaleLowerCase() === query));
    if (matches.length > 0) return matches;
  }
  return [];
}
