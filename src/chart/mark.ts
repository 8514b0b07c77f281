import type { Point } from '#commands/kit/value-series.ts';
import { formatAge } from '#commands/text/age.ts';
import { formatLike } from '#commands/units/format.ts';

import { pointAt, type ChartLine } from './chart-lanes.ts';

/** Returns the time between the mark and another time, such as `+8 h 54 m`. */
export const elapsedText = (time: number, mark: number): string =>
  `${time < mark ? '-' : '+'}${formatAge(Math.abs(time - mark))}`;

/**
 * Returns the difference between a value and that of the same line at the mark, such as `+13.2`. It has as many
 * decimals as the values show. Undefined for a text, and if there is no value at the mark.
 */
export function differenceText(line: ChartLine, point: Point | undefined, mark: number): string | undefined {
  const marked = pointAt(line, mark);
  if (!line.isNumeric || !point || !marked) return undefined;
  const difference = point.value - marked.value;
  if (!Number.isFinite(difference)) return undefined;
  const text = formatLike(difference, point.text, marked.text);
  return /^-|^[0.]+$/.test(text) ? text : `+${text}`;
}
