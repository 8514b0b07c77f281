import { Fragment, type CSSProperties } from 'react';

import { AXIS, GUTTER, type TimeTick } from './Lane.tsx';
import { clockText, type AxisFormat } from './time-axis.ts';

/**
 * The minimum distance, in px, between a time label and the crosshair. A closer label would be covered by the
 * crosshair's own time.
 */
const MIN_LABEL_DISTANCE = 62;

/** The minimum distance, in px, between a label and the edge of the chart. */
const MARGIN = 4;

interface TimeAxisProps {
  readonly ticks: readonly TimeTick[];
  readonly cursor: number | undefined;
  readonly axis: AxisFormat;
  readonly xOf: (time: number) => number;
  /** The width of the chart, in px. */
  readonly width: number;
}

/** The labels of the time axis. They cover the axis that the last lane draws, and stay visible if the lanes scroll. */
export function TimeAxis({ ticks, cursor, axis, xOf, width }: TimeAxisProps) {
  /** Centers a label on its time, or moves it left so that the edge of the chart doesn't cut it off. */
  const placeOf = (time: number): CSSProperties => ({
    left: xOf(time),
    transform: `translateX(min(-50%, ${Math.round(width - xOf(time)) - MARGIN}px - 100%))`,
  });
  const isCovered = (time: number): boolean =>
    cursor !== undefined && Math.abs(xOf(time) - xOf(cursor)) < MIN_LABEL_DISTANCE;
  return (
    <div
      aria-hidden
      className="pointer-events-none sticky bottom-0 z-10 bg-surface-0"
      style={{ height: AXIS, marginTop: -AXIS }}
    >
      <div className="absolute inset-x-0 top-0 border-t border-line-strong" style={{ left: GUTTER }} />
      {ticks.map(({ time, text }) => (
        <Fragment key={time}>
          <span className="absolute top-0 h-1 border-l border-line-strong" style={{ left: xOf(time) }} />
          <span className="absolute pt-1.5 text-label leading-4 whitespace-nowrap text-ink-3" style={placeOf(time)}>
            {isCovered(time) ? '' : text}
          </span>
        </Fragment>
      ))}
      {cursor !== undefined && (
        <span
          className="type-mono absolute top-1 rounded-chip bg-ink-1 px-1.5 text-[10.5px] whitespace-nowrap text-surface-0"
          style={placeOf(cursor)}
        >
          {clockText(cursor, axis)}
        </span>
      )}
    </div>
  );
}
