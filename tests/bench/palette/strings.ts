const WORDS =
  'device tag webhook assign create lifecycle installed paused north field kestrel annulus pressure casing tubing journal of locations'.split(
    ' ',
  );

/**
 * Returns the same strings in every run: words from a fixed sequence of pseudo-random numbers, about `letters` long.
 */
export function createStrings(count: number, letters: number): readonly string[] {
  let seed = 1;
  const next = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < letters) text += `${WORDS[Math.floor(next() * WORDS.length)]} `;
    return text.slice(0, letters).trim();
  });
}
