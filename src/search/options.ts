import { candidate, match, needle, tierOf, type Range, type Tier } from '#commands/text/score.ts';

/** A value to choose from a fixed list, such as an event type. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

interface MatchingOption extends Option {
  /** The matching letters of the label. */
  readonly ranges?: readonly Range[];
  /** How well the typed text matches. Undefined if nothing is typed. */
  readonly tier?: Tier;
}

/**
 * Returns the options that match the typed text, best match first, or all options if nothing is typed. Equal
 * matches keep the order of the list, which is more useful than sorting by label length.
 */
export function findMatchingOptions(options: readonly Option[], text: string): readonly MatchingOption[] {
  const pattern = needle(text);
  if (pattern.words.length === 0) return options;
  return options
    .flatMap((option) => {
      const { label, value } = option;
      const matchResult = match(candidate(label, value === label ? '' : value), pattern);
      if (!matchResult) return [];
      return [
        { tier: tierOf(matchResult.score), option, ranges: matchResult.ranges.filter(([, to]) => to <= label.length) },
      ];
    })
    .toSorted((a, b) => b.tier - a.tier)
    .map(({ option, ranges, tier }) => ({ ...option, ranges, tier }));
}
