import { useEffect, useMemo, useRef, useState } from 'react';

import { useMoment, useText } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Swatch } from '#src/ui/Swatch.tsx';

import type { ChartLine } from './chart-lanes.ts';
import { columnTitle, timeRows } from './point-rows.ts';

/** The number of rows to add at a time. */
const PAGE_SIZE = 200;

/** Aligns numbers by their last digit, and texts by their first letter. */
const alignmentOf = ({ isNumeric }: ChartLine): string => (isNumeric ? 'text-right' : 'text-left');

/** The values of a chart as a table, the newest first. */
export function PointTable({ label, lines }: { readonly label: string; readonly lines: readonly ChartLine[] }) {
  const t = useText();
  const chartText = useText('chart');
  const moment = useMoment();
  const root = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(PAGE_SIZE);
  const rows = useMemo(() => timeRows(lines), [lines]);
  // Arrow keys then scroll the table.
  useEffect(() => root.current?.focus(), []);
  return (
    <div className="focus-frame h-full">
      <div
        ref={root}
        tabIndex={0}
        role="region"
        aria-label={chartText('tableOf', { name: label })}
        className="h-full overflow-auto"
        onKeyDown={(event) => {
          // These keys would move the active row of the screen below.
          if (/^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/.test(event.key) && !event.shiftKey) event.stopPropagation();
        }}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="sticky top-0 bg-surface-0 shadow-[inset_0_-1px_var(--line)]">
              <th scope="col" className="h-row px-3 text-left text-label font-medium text-ink-2">
                {chartText('time')}
              </th>
              {lines.map((line) => (
                <th
                  key={line.id}
                  scope="col"
                  className={cx('h-row px-3 text-label font-medium text-ink-2', alignmentOf(line))}
                >
                  {columnTitle(line)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map(({ time, cells }) => (
              <tr key={time} className="shadow-[inset_0_-1px_color-mix(in_oklab,var(--line)_70%,transparent)]">
                <th scope="row" className="h-row px-3 text-left font-normal whitespace-nowrap">
                  <time dateTime={new Date(time).toISOString()} className="type-mono text-ink-2">
                    {moment(time)}
                  </time>
                </th>
                {lines.map((line, index) => {
                  const point = cells[index];
                  return (
                    <td
                      key={line.id}
                      className={cx(
                        'h-row px-3',
                        alignmentOf(line),
                        line.isNumeric ? 'type-mono whitespace-nowrap' : 'min-w-36 py-0.5 wrap-anywhere',
                      )}
                    >
                      {point?.color && <Swatch color={point.color} className="mr-1.5" />}
                      {point?.text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > count && (
          <div className="p-3">
            <Button onClick={() => setCount(count + PAGE_SIZE)}>{t('panel.more')}</Button>
          </div>
        )}
      </div>
    </div>
  );
}
