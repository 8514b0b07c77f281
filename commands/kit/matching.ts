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
  return exactMatcher(items, ...identifierReaders)(text);
}

/** Returns a function that does the same as {@link findExactMatches}, for many queries. */
export function exactMatcher<T>(
  items: readonly T[],
  ...identifierReaders: readonly IdentifiersOf<T>[]
): (text: string) => readonly T[] {
  const indexes = identifierReaders.map((identifiersOf) => {
    const index = new Map<string, T[]>();
    for (const item of items) {
      for (const key of new Set(identifiersOf(item).map((value) => value.toLocaleLowerCase()))) {
        const matches = index.get(key);
        if (matches) matches.push(item);
        else index.set(key, [item]);
      }
    }
    return index;
  });
  return (text) => {
    const query = text.trim().toLocaleLowerCase();
    return indexes.map((index) => index.get(query) ?? []).find((matches) => matches.length > 0) ?? [];
  };
}
