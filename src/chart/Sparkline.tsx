import { fractionAbove, gapLimit, hourlyValues, valueScale, type Point } from '#commands/kit/value-series.ts';

const WIDTH = 52;
const HEIGHT = 18;
/** Space for the marker at the end of the line. */
const MARGIN = 3;
/** The minimum number of hours without values that count as silent. */
const MIN_SILENT_HOURS = 3;
const HOUR = 3_600_000;

interface SparklineProps {
  readonly points: readonly Point[];
  /** The expected time between two values, in ms. */
  readonly interval: number | undefined;
  readonly now: number;
}

/** The values of the last 24 hours as a line. It ends in a dot, or in a short vertical stroke after a silence. */
export function Sparkline({ points, interval, now }: SparklineProps) {
  const limit = gapLimit(
    points.map(({ time }) => time),
    interval,
  );
  const silentHours = Math.max(MIN_SILENT_HOURS, Math.ceil(Math.min(limit, 24 * HOUR) / HOUR));
  const hours = hourlyValues(points, now);
  const scale = valueScale(hours.filter((value) => value !== undefined));
  const x = (hour: number): number => MARGIN + (hour / (hours.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number): number => MARGIN + fractionAbove(value, scale) * (HEIGHT - 2 * MARGIN);
  let path = '';
  let last: { readonly hour: number; readonly value: number } | undefined;
  hours.forEach((value, hour) => {
    if (value === undefined) return;
    const isNext = last !== undefined && hour - last.hour <= silentHours;
    path += `${isNext ? 'L' : 'M'}${x(hour).toFixed(1)} ${y(value).toFixed(1)}`;
    last = { hour, value };
  });
  const isSilent = last !== undefined && hours.length - 1 - last.hour > silentHours;
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden className="shrink-0 text-ink-2">
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.25} strokeLinejoin="round" />
      {last && !isSilent && <circle cx={x(last.hour)} cy={y(last.value)} r={1.75} fill="currentColor" />}
      {last && isSilent && (
        <path d={`M${x(last.hour)} ${y(last.value) - 3}v6`} stroke="currentColor" strokeWidth={1.25} />
      )}
    </svg>
  );
}
