import './timeline.css';
import { useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { Period } from '#commands/nouns/fleet/process-point/periods.ts';
import type { TimelineRow } from '#commands/nouns/fleet/process-point/timeline.ts';
import { i18n, useText, useTranslate } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';

import { Bar, type BarKind } from './Bar.tsx';
import type { Move } from './model.ts';
import { MovePlan } from './MovePlan.tsx';
import { isVisible, positionOf, createScale, type Scale } from './scale.ts';
import { useTimeline } from './use-timeline.ts';
import { useWheel } from './use-zoom.ts';
import { ZoomBar } from './ZoomBar.tsx';

interface TimelineProps {
  readonly point: string;
  readonly title: string;
  readonly rows: readonly TimelineRow[];
}

/** The time between two moves of the line that marks the current time. */
const TICK_MS = 60_000;

/** Labels further to the right than this, in percent, wouldn't fit next to the label of the current time. */
const LAST_LABEL = 88;
/** A label this close before the current time, in percent, doesn't fit if the axis is narrow. */
const NEAR_NOW = 18;

const LEVELS = { error: 'ERROR', warning: 'WARNING', ok: 'OK' } as const;

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** One row per device, with a bar for each of its assignments. */
export function Timeline(props: TimelineProps) {
  const context = useCommandContext();
  return context ? <Rows {...props} context={context} /> : null;
}

function Rows({ point, title, rows, context }: TimelineProps & { readonly context: Context }) {
  const t = useText('timeline');
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const now = useNow();
  const axis = useRef<HTMLDivElement>(null);
  const timeline = useTimeline(point, rows, context, now);
  const { cursor, move, conflicts, isInConflict, planState, problem, zoom, activate } = timeline;
  const { language } = i18n;
  const { from, to } = zoom.range;
  const scale = useMemo(() => createScale({ from, to }, language), [from, to, language]);
  useWheel(grid, axis, zoom.range, zoom);
  const activeId = cursor && `${id}-${cursor.row.number.replaceAll(' ', '')}-${cursor.period.since}`;
  useEffect(() => {
    // Tab then continues from the timeline, and a screen reader reads its bars.
    if (document.activeElement === document.body) grid.current?.focus();
  }, []);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId, problem]);
  return (
    <>
      <ZoomBar zoom={zoom} now={now} />
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={title}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeId}
        className="timeline relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none"
        onKeyDown={(event) => {
          // These keys move the cursor, and must not scroll as well.
          if (['ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key)) event.preventDefault();
        }}
      >
        <Axis ref={axis} scale={scale} now={now} />
        <div role="rowgroup" className="relative">
          <div aria-hidden className="pointer-events-none absolute inset-y-0 right-3 left-(--labels) z-1">
            {isVisible(now, scale) && (
              <span className="absolute inset-y-0 w-px bg-ink-1" style={{ left: `${positionOf(now, scale)}%` }} />
            )}
          </div>
          {rows.map((row, index) => (
            <Row
              key={row.number}
              id={id}
              index={index}
              row={row}
              scale={scale}
              now={now}
              activePeriod={cursor?.row.number === row.number ? cursor.period : undefined}
              move={move?.number === row.number ? move : undefined}
              conflicts={conflicts}
              problem={move?.number === row.number && isInConflict ? <Reason message={problem} /> : undefined}
              onActivate={activate}
            />
          ))}
        </div>
      </div>
      <MovePlan
        cursor={cursor}
        move={move}
        point={point}
        planState={planState}
        isInConflict={isInConflict}
        context={context}
      />
      <p className="sr-only" role="status">
        {move && t('move')}
      </p>
    </>
  );
}

const isNear = (distance: number): boolean => distance >= 0 && distance < NEAR_NOW;

interface AxisProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly scale: Scale;
  readonly now: number;
}

function Axis({ ref, scale, now }: AxisProps) {
  const t = useText('timeline');
  return (
    <div role="row" aria-rowindex={1} className="sticky top-0 z-2 border-b border-line bg-surface-0">
      <div aria-hidden className="flex h-row">
        <div className="flex w-(--labels) shrink-0 items-center gap-3 overflow-hidden px-3 text-label text-ink-2">
          {(['past', 'now', 'conflict'] as const).map((kind) => (
            <span key={kind} className="flex items-center gap-1.5">
              <i className={cx('h-2.5 w-4 rounded-[3px]', `timeline-${kind}`)} />
              {t(kind)}
            </span>
          ))}
        </div>
        <div ref={ref} className="relative mr-3 min-w-0 flex-1 text-label text-ink-2">
          {scale.ticks.map(({ at, label }) => (
            <span
              key={at}
              data-near-now={isNear(positionOf(now, scale) - positionOf(at, scale)) || undefined}
              className="timeline-tick absolute inset-y-0 border-l pt-1.5 pl-1.5 whitespace-nowrap"
              style={{ left: `${positionOf(at, scale)}%` }}
            >
              {positionOf(at, scale) < LAST_LABEL && label}
            </span>
          ))}
          {isVisible(now, scale) && (
            <span
              className="absolute top-1 -translate-x-1/2 rounded-chip bg-ink-1 px-1.5 text-surface-0"
              style={{ left: `${positionOf(now, scale)}%` }}
            >
              {t('now')}
            </span>
          )}
        </div>
      </div>
      <div className="flex h-row items-center text-label font-medium text-ink-2">
        <span role="columnheader" className="w-[93px] shrink-0 pl-[29px]">
          {t('number')}
        </span>
        <span role="columnheader" className="min-w-0 pl-3">
          {t('device')}
        </span>
      </div>
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly row: TimelineRow;
  readonly scale: Scale;
  readonly now: number;
  readonly activePeriod: Period | undefined;
  readonly move: Move | undefined;
  readonly conflicts: readonly Period[];
  readonly problem: React.ReactNode;
  readonly onActivate: (number: string, start: number) => void;
}

function Row({ id, index, row, scale, activePeriod, move, conflicts, problem, onActivate }: RowProps) {
  const t = useText();
  const { number, name, level, periods } = row;
  const movedPeriod = move && periods.find(({ since }) => since === move.start);
  const isInConflict = conflicts.length > 0 && move?.overrides === false;
  const isShown = ({ since, until = Infinity }: Period): boolean => since <= scale.to && until >= scale.from;
  const kindOf = (period: Period): BarKind => {
    if (move && period === movedPeriod) return 'moved';
    if (isInConflict && conflicts.includes(period)) return 'conflict';
    return period.until === undefined ? 'now' : 'past';
  };
  return (
    <>
      <div
        role="row"
        aria-rowindex={index + 2}
        aria-selected={activePeriod !== undefined}
        className="timeline-row flex h-row border-b border-line"
      >
        <div role="rowheader" className="flex w-(--labels) shrink-0 items-center gap-2 overflow-hidden px-3">
          {level === 'none' ? (
            <span className="w-[9px] shrink-0" />
          ) : (
            <HealthMark level={LEVELS[level]} label={t(`shell.level.${level}`)} />
          )}
          <span className="type-mono w-16 shrink-0">{number}</span>
          {name !== number && <span className="min-w-0 truncate pl-1 text-ink-2">{name}</span>}
        </div>
        <div role="presentation" className="relative mr-3 min-w-0 flex-1">
          {scale.ticks.map(({ at }) => (
            <span
              key={at}
              aria-hidden
              className="absolute inset-y-0 w-px bg-line"
              style={{ left: `${positionOf(at, scale)}%` }}
            />
          ))}
          {periods.filter(isShown).map((period) => (
            <Bar
              key={period.since}
              id={`${id}-${number.replaceAll(' ', '')}-${period.since}`}
              device={name === number ? number : `${name} ${number}`}
              period={period}
              plannedStart={period === movedPeriod ? move?.from : undefined}
              kind={kindOf(period)}
              isHatched={period === movedPeriod && isInConflict}
              isActive={period === activePeriod}
              scale={scale}
              onClick={() => onActivate(number, period.since)}
            />
          ))}
        </div>
      </div>
      {problem}
    </>
  );
}

/** The reason for a conflict, below its row, with the command that overrides it. */
function Reason({ message }: { readonly message: Parameters<ReturnType<typeof useTranslate>>[0] | undefined }) {
  const t = useText('timeline');
  const translate = useTranslate();
  return (
    <div role="row" className="timeline-reason border-b border-line">
      <div role="gridcell">
        <div role="alert" className="flex min-h-row items-center gap-2 px-3 py-1 text-error-text">
          <HealthMark level="ERROR" />
          <span className="min-w-0 flex-1">{message ? translate(message) : t('conflict')}</span>
          <CommandButton command="timeline.solve-conflict">{t('solve')}</CommandButton>
        </div>
      </div>
    </div>
  );
}
