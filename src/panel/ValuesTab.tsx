import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtom } from 'jotai';
import { Lock } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore, type KeyboardEvent } from 'react';

import { oldAfter } from '#commands/kit/latest-values.ts';
import { indexOfField, MAX_CHART_FIELDS } from '#commands/kit/value-chart.ts';
import type { FieldValue } from '#commands/kit/value-loading.ts';
import type { Point } from '#commands/kit/value-series.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { NO_CHART, type Search } from '#src/address/address.ts';
import { ExportButton } from '#src/chart/ExportButton.tsx';
import { seriesBackground, seriesStyle } from '#src/chart/series-style.ts';
import { Sparkline } from '#src/chart/Sparkline.tsx';
import { useFieldValues, useLiveValues, useSparklines } from '#src/chart/use-values.ts';
import { useMoment, useText, useTranslate } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { EmptyActions } from '#src/run/EmptyActions.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { tabToFocusAtom } from '#src/state/focus.ts';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { cx } from '#src/ui/cx.ts';
import { RelativeTime } from '#src/ui/RelativeTime.tsx';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { Swatch } from '#src/ui/Swatch.tsx';
import { tip } from '#src/ui/tip.ts';

interface ValuesTabProps {
  readonly organization: string;
  readonly title: string;
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
}

/** The newest value of each field of an item. Opening a field adds it to the chart, or removes it. */
export function ValuesTab({ tab, ...props }: ValuesTabProps) {
  const owner = tab.owner?.(props.item);
  return owner ? <OwnerValues owner={owner} tab={tab} {...props} /> : null;
}

function OwnerValues({ organization, title, tab, item, owner }: ValuesTabProps & { readonly owner: ValueOwner }) {
  const t = useText();
  const chartText = useText('chart');
  const translate = useTranslate();
  const list = useRef<HTMLDivElement>(null);
  const { chart = [] }: Search = useSearch({ strict: false });
  const isFull = chart.length >= MAX_CHART_FIELDS;
  useLiveValues(organization, owner);
  const { data, error, refetch } = useFieldValues(organization, owner);
  const fieldValues = data ?? [];
  const sparklines = useSparklines(organization, owner, fieldValues).data;
  const [enteredTab, setEnteredTab] = useAtom(tabToFocusAtom);
  const isEntering = enteredTab === tab.id && data !== undefined;
  useEffect(() => {
    if (!isEntering) return;
    setEnteredTab(undefined);
    list.current?.querySelector<HTMLElement>('[data-row-head]')?.focus();
  }, [isEntering, setEnteredTab]);
  if (error && !data)
    return <LoadError title={t('panel.failed', { title })} error={error} retry={() => void refetch()} />;
  if (!data)
    return (
      <div className="px-4 py-2">
        <SkeletonRows count={6} label={t('panel.loading', { title })} />
      </div>
    );
  if (data.every(({ text }) => text === undefined)) {
    const fieldNames = data.map(({ name }) => name).join(', ');
    const add = fieldNames === '' ? tab.add?.(item, contextNow()) : undefined;
    return (
      <StateMessage title={t('panel.empty', { title })} actions={add && <EmptyActions actions={[add]} />}>
        {fieldNames === ''
          ? tab.emptyHint && translate(tab.emptyHint(item))
          : chartText('declared', { fields: fieldNames })}
      </StateMessage>
    );
  }
  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.shiftKey) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-head]') ?? [])];
    // At the end of the list, the key must not move the active row of the table instead.
    event.preventDefault();
    event.stopPropagation();
    heads[heads.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  const groups = [
    { id: 'process', label: title, rows: data.filter(({ isOperational }) => !isOperational) },
    { id: 'operational', label: chartText('operational'), rows: data.filter(({ isOperational }) => isOperational) },
  ];
  return (
    <div ref={list} onKeyDown={moveFocus} className="divide-y divide-line">
      {groups.map(
        ({ id, label, rows }) =>
          rows.length > 0 && (
            <section key={id} aria-label={label} className="py-2">
              <div className="flex justify-between px-4 pb-1 text-label text-ink-2">
                <h3 className="font-medium">{id === 'process' ? chartText('last') : label}</h3>
                <span>{chartText('received')}</span>
              </div>
              <ul aria-label={label}>
                {rows.map((row) => (
                  <li key={row.field}>
                    <FieldRow row={row} points={sparklines?.get(row.field)} interval={owner.interval} />
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      <div
        // Visible beside the field that doesn't fit, however long the list is.
        className={cx('flex flex-wrap items-center gap-2 px-4 py-2', isFull && 'sticky bottom-0 bg-surface-1')}
      >
        <p role="status" className={cx('min-w-0 flex-1 text-label', isFull ? 'text-ink-2' : 'text-ink-3')}>
          {isFull ? chartText('full', { max: MAX_CHART_FIELDS }) : chartText('hint')}
        </p>
        <ExportButton owner={owner} range={LAST_DAY} />
      </div>
    </div>
  );
}

/** The period of the sparklines. */
const LAST_DAY = { start: '-1d', end: 'now' };

interface FieldRowProps {
  readonly row: FieldValue;
  readonly points: readonly Point[] | undefined;
  readonly interval: number | undefined;
}

/** A field: its color in the chart, its name, its newest value, the last day, and the value's age. */
function FieldRow({ row, points, interval }: FieldRowProps) {
  const { field, name, text, color, unit, time, isNumeric, isEncrypted } = row;
  const chartText = useText('chart');
  const moment = useMoment();
  const navigate = useNavigate();
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const { chart = [] }: Search = useSearch({ strict: false });
  const index = indexOfField(field, chart);
  const isCharted = index >= 0;
  const isOld = time !== undefined && now - time > oldAfter(interval);
  const isFull = !isCharted && chart.length >= MAX_CHART_FIELDS;
  const toggle = (): void => {
    if (isFull) return;
    const next = isCharted ? chart.filter((_, other) => other !== index) : [...chart, field];
    void navigate({
      to: '.',
      search: (previous: Search) => (next.length > 0 ? { ...previous, chart: next } : { ...previous, ...NO_CHART }),
      replace: chart.length > 0 && next.length > 0,
    });
  };
  return (
    <button
      type="button"
      data-row-head=""
      aria-pressed={isCharted}
      aria-disabled={isFull || undefined}
      onClick={toggle}
      className="grid min-h-row w-full grid-cols-[10px_minmax(0,1fr)_auto_2.25rem_52px_52px] items-center gap-x-2 px-4 py-0.5 text-left hover:bg-surface-2 aria-disabled:opacity-50 focus-visible:-outline-offset-2"
    >
      <span
        aria-hidden
        className="h-0.5 w-2.5 rounded-full"
        style={isCharted && isNumeric ? { background: seriesBackground(seriesStyle(index)) } : undefined}
      />
      <span className="flex min-w-0 items-center gap-1">
        <span className="line-clamp-2 wrap-anywhere" {...tip(name)}>
          {name}
        </span>
        {isEncrypted && <Lock size={11} aria-label={chartText('encrypted')} className="shrink-0 text-ink-3" />}
      </span>
      <span
        className={cx('max-w-40 truncate text-right', isNumeric ? 'type-mono' : 'col-span-3', isOld && 'text-ink-3')}
      >
        {color && <Swatch color={color} className="mr-1.5" />}
        {text ?? '–'}
      </span>
      {isNumeric && <span className="-ml-1 truncate text-label text-ink-3">{text === undefined ? '' : unit}</span>}
      {isNumeric &&
        (points && points.length > 0 ? (
          <Sparkline points={points} interval={interval} now={now} />
        ) : (
          <span aria-hidden />
        ))}
      <span className="text-right whitespace-nowrap text-ink-2">
        {time !== undefined && <RelativeTime time={time} exactTime={moment(time)} />}
      </span>
    </button>
  );
}
