import { fractionAbove } from '#commands/kit/value-series.ts';

import type { ChartLane, ChartLine } from './chart-lanes.ts';

/** The height of the name of a line, in px. */
export const LABEL_HEIGHT = 15;

/** The name of a line, where the line ends. `top` is the height of the name's center. */
export interface EndLabel {
  readonly line: ChartLine;
  /** The time at which the line ends. */
  readonly time: number;
  readonly top: number;
}

/** Places each line's name at its newest value, moved up or down where names would overlap. */
export function endLabels({ lines, scale }: ChartLane, height: number): readonly EndLabel[] {
  const ends = lines.flatMap((line) => {
    const last = line.series.points.at(-1);
    return last ? [{ line, time: last.time, top: fractionAbove(last.value, scale) * height }] : [];
  });
  const labels = ends.toSorted((a, b) => a.top - b.top);
  let free = LABEL_HEIGHT / 2;
  for (const label of labels) {
    label.top = Math.max(label.top, free);
    free = label.top + LABEL_HEIGHT;
  }
  free = height - LABEL_HEIGHT / 2;
  for (const label of labels.toReversed()) {
    label.top = Math.min(label.top, free);
    free = label.top - LABEL_HEIGHT;
  }
  return labels;
}
