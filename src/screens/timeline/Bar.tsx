import type { Period } from '#commands/nouns/fleet/process-point/periods.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { tip } from '#src/ui/tip.ts';

import { positionOf, type Scale } from './scale.ts';

export type BarKind = 'past' | 'now' | 'conflict' | 'moved';

interface BarProps {
  readonly id: string;
  /** The name of the device, for screen readers. */
  readonly device: string;
  readonly period: Period;
  /** The planned start, if it is being moved. */
  readonly plannedStart: number | undefined;
  readonly kind: BarKind;
  readonly isHatched: boolean;
  readonly isActive: boolean;
  readonly scale: Scale;
  readonly onClick: () => void;
}

const TEXTS = { past: 'bar', now: 'bar', conflict: 'conflictBar', moved: 'movedBar' } as const;

/** One assignment: from its start until its end, or until the right edge if it is current. */
export function Bar({ id, device, period, plannedStart, kind, isHatched, isActive, scale, onClick }: BarProps) {
  const t = useText('timeline');
  const moment = useMoment();
  const since = plannedStart ?? period.since;
  const [left, right] = [positionOf(since, scale), period.until === undefined ? 100 : positionOf(period.until, scale)];
  const from = moment(since);
  const until = period.until === undefined ? t('now') : moment(period.until);
  const day = (ms: number): string => moment(ms).replace(/,? \d\d:.*$/, '');
  const kindClass =
    kind === 'moved' ? (period.until === undefined ? 'timeline-now' : 'timeline-past') : `timeline-${kind}`;
  return (
    <>
      {plannedStart !== undefined && (
        <span
          aria-hidden
          className="timeline-former absolute top-1 bottom-1"
          style={{ left: `${positionOf(period.since, scale)}%`, width: `${right - positionOf(period.since, scale)}%` }}
        />
      )}
      <div
        id={id}
        role="gridcell"
        aria-label={t(isHatched ? 'conflictBar' : TEXTS[kind], { device, from, until })}
        aria-selected={isActive}
        data-active={isActive || undefined}
        tabIndex={-1}
        {...tip(t('reading', { from, until }))}
        // The grid keeps the focus, so a screen reader follows its active bar.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
        className={cx(
          '@container absolute top-1 bottom-1 min-w-[3px] overflow-hidden',
          kindClass,
          kind === 'moved' && 'timeline-moved',
          isHatched && 'timeline-conflict',
          period.until === undefined && 'timeline-open',
        )}
        style={{ left: `${left}%`, width: `${Math.max(right - left, 0)}%` }}
      >
        <span aria-hidden className="block truncate px-1.5 text-label leading-[18px] @max-[76px]:hidden">
          {day(since)}
          {period.until !== undefined && <span className="@max-[170px]:hidden"> – {day(period.until)}</span>}
        </span>
      </div>
    </>
  );
}
