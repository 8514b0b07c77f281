/** The number of series colors in `tokens.css`. */
const COLORS = 6;
/** The strokes of lines with the same color, as the lengths of dashes and gaps in px. The first one is solid. */
const DASHES: readonly (readonly number[])[] = [[], [6, 4], [2, 3]];

/** How to draw a series. It tells lines apart and has no other meaning. */
export interface SeriesStyle {
  /** A CSS color. */
  readonly color: string;
  /** The lengths of dashes and gaps in px. Empty for a solid line. */
  readonly dash: readonly number[];
}

export const seriesStyle = (index: number): SeriesStyle => ({
  color: `var(--series-${(index % COLORS) + 1})`,
  dash: DASHES[Math.floor(index / COLORS) % DASHES.length] ?? [],
});

/** Returns the background of a short line that looks like the series. */
export function seriesBackground({ color, dash: [length, gap] }: SeriesStyle): string {
  if (length === undefined || gap === undefined) return color;
  return `repeating-linear-gradient(90deg, ${color} 0 ${length / 2}px, transparent 0 ${(length + gap) / 2}px)`;
}
