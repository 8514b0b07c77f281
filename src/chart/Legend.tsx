import { summarize } from '#commands/kit/value-series.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { Swatch } from '#src/ui/Swatch.tsx';
import { tip } from '#src/ui/tip.ts';

import { pointAt, type ChartLine } from './chart-lanes.ts';
import { differenceText, elapsedText } from './mark.ts';
import { seriesBackground } from './series-style.ts';
import { clockText, dayText, type AxisFormat } from './time-axis.ts';

interface LegendProps {
  readonly lines: readonly ChartLine[];
  readonly cursor: number | undefined;
  /** The time that values are compared with. */
  readonly mark: number | undefined;
  readonly axis: AxisFormat;
}

/** The lines with their values at the crosshair, or their newest values without one, and what differs at the mark. */
export function Legend({ lines, cursor, mark, axis }: LegendProps) {
  return (
    <ul className="flex min-h-[30px] flex-wrap items-center gap-x-4 border-b border-line px-3 py-1">
      {cursor !== undefined && (
        <li className="type-mono whitespace-nowrap text-ink-2">
          {dayText(cursor, axis)} {clockText(cursor, axis)}
          {mark !== undefined && <span className="ml-2 text-accent">{elapsedText(cursor, mark)}</span>}
        </li>
      )}
      {lines.map((line) => {
        const point = cursor === undefined ? line.series.points.at(-1) : pointAt(line, cursor);
        const difference = mark === undefined ? undefined : differenceText(line, point, mark);
        return (
          <li key={line.id} className="flex min-w-0 items-center gap-1.5 whitespace-nowrap">
            {line.isNumeric && <Dash line={line} />}
            <span className="max-w-44 shrink-0 truncate" {...tip(line.name)}>
              {line.name}
            </span>
            {point?.color && <Swatch color={point.color} />}
            <span
              className={cx('font-semibold', line.isNumeric ? 'type-mono' : 'min-w-0 wrap-anywhere whitespace-normal')}
            >
              {point?.text ?? '–'}
            </span>
            {point && line.unit !== '' && <span className="text-label text-ink-3">{line.unit}</span>}
            {difference !== undefined && <span className="type-mono text-ink-2">{difference}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** The color and the dashes of a line. */
function Dash({ line }: { readonly line: ChartLine }) {
  return (
    <span aria-hidden className="h-0.5 w-2.5 shrink-0 rounded-full" style={{ background: seriesBackground(line) }} />
  );
}

/** The trend of each line and the values at the crosshair, for screen readers. */
export function Trends({ lines, cursor, mark }: Omit<LegendProps, 'axis'>) {
  const t = useText();
  const chartText = useText('chart');
  const moment = useMoment();
  const withUnit = (text: string, unit: string): string => [text, unit].filter(Boolean).join(' ');
  const trends = lines.map((line) => {
    const { name, unit, isNumeric, series } = line;
    const summary = summarize(series.points);
    const toTrend = (text: string) => ({ id: line.id, text });
    if (!summary) return toTrend(chartText('trend.none', { name }));
    const { first, last, lowest, highest } = summary;
    if (!isNumeric) return toTrend(chartText('trend.text', { name, text: last.text, time: moment(last.time) }));
    const details = {
      name,
      first: withUnit(first.text, unit),
      last: withUnit(last.text, unit),
      lowest: withUnit(lowest.text, unit),
      lowestTime: moment(lowest.time),
      highest: withUnit(highest.text, unit),
      highestTime: moment(highest.time),
    };
    return toTrend(chartText('trend.numeric', details));
  });
  const values =
    cursor === undefined
      ? ''
      : [
          moment(cursor),
          ...(mark === undefined ? [] : [chartText('markedAt', { elapsed: elapsedText(cursor, mark) })]),
          ...lines.map((line) => {
            const point = pointAt(line, cursor);
            const text = `${line.name} ${point ? withUnit(point.text, line.unit) : t('panel.none')}`;
            const difference = mark === undefined ? undefined : differenceText(line, point, mark);
            if (difference === undefined) return text;
            return `${text} (${chartText('sinceMark', { difference: withUnit(difference, line.unit) })})`;
          }),
        ].join(', ');
  return (
    <div className="sr-only">
      <ul aria-label={chartText('trends')}>
        {trends.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p role="status" aria-label={chartText('crosshair')}>
        {values}
      </p>
    </div>
  );
}
