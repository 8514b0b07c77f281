import { AXIS, GUTTER, type TimeTick } from './Lane.tsx';
import { clockText, type AxisFormat } from './time-axis.ts';

/**
 * The minimum distance, in px, between a time label and the crosshair. A closer label would be covered by the
 * crosshair's own time.
 */
const MIN_LABEL_DISTANCE = 62;

interface TimeAxisProps {
  readonly ticks: readonly TimeTick[];
  readonly cursor: number | undefined;
  readonly axis: AxisFormat;
  readonly xOf: (time: number) => number;
}

/** The labels of the time axis. They cover the axis that the last lane draws, and stay visible if the lanes scroll. */
export function TimeAxis({ ticks, cursor, axis, xOf }: TimeAxisProps) {
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
        <span
          key={time}
          className="absolute -translate-x-1/2 pt-1.5 text-label leading-4 whitespace-nowrap text-ink-3 before:absolute before:top-0 before:left-1/2 before:h-1 before:border-l before:border-line-strong"
          style={{ left: xOf(time) }}
        >
          {isCovered(time) ? '' : text}
        </span>
      ))}
      {cursor !== undefined && (
        <span
          className="type-mono absolute top-1 -translate-x-1/2 rounded-chip bg-ink-1 px-1.5 text-[10.5px] whitespace-nowrap text-surface-0"
          style={{ left: xOf(cursor) }}
        >
          {clockText(cursor, axis)}
        </span>
      )}
    </div>
  );
}
