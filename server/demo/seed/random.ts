/** A stream of pseudo-random numbers. It is the same in every run, so the seed is reproducible. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** A random item from a non-empty list. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * Creates a separate stream for each name, so drawing more numbers for one part of the seed doesn't affect the others.
 */
export function createRandom(name: string): Random {
  let state = hash(name);
  // Mulberry32: 32 bits of state are enough here.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)] as (typeof items)[number],
    shuffle(items) {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const swapIndex = integer(0, last);
        [result[last], result[swapIndex]] = [result[swapIndex] as never, result[last] as never];
      }
      return result;
    },
  };
}

/** Hashes a string with FNV-1a. */
function hash(text: string): number {
  let result = 0x811c9dc5;
  for (const character of text) result = Math.imul(result ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return result;
}
