/** Selects `count` items and keeps their order. The same seed selects the same items. */
export function drawSample<T>(items: readonly T[], count: number, seed: number): T[] {
  // Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const entries = items.map((item, index) => ({ item, index, order: random() }));
  const sampledEntries = entries.toSorted((a, b) => a.order - b.order).slice(0, count);
  return sampledEntries.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}
