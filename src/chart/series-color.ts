/** The number of series colors in `tokens.css`. */
const COLORS = 6;

/** Returns the color of a series, as a CSS value. It tells lines apart and has no other meaning. */
export const seriesColor = (index: number): string => `var(--series-${(index % COLORS) + 1})`;
