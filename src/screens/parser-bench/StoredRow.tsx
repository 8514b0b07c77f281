import { Fragment, memo, type ReactNode, type Ref } from 'react';

import type { ComparedMessage } from '#commands/nouns/data/parser/bench/comparison.ts';
import { isFailure, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';
import { shownChange, type DeclaredLabels } from '#commands/nouns/data/parser/bench/labels.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';
import { tip } from '#src/ui/tip.ts';

import { bytesOf } from './segments.ts';

/** A verdict's sign. No verdict is shown by its color alone. */
const SIGNS: Readonly<Partial<Record<Verdict, string>>> = { changed: '≠', nowWorks: '+', works: '+', same: '=' };
/** Explains why no values are listed. */
const NO_CHANGE_TEXTS: Readonly<Partial<Record<Verdict, string>>> = {
  nowWorks: 'bench.onlyThisText',
  works: 'bench.parses',
};
const MAX_CHANGES = 12;

export const COLUMNS =
  'grid grid-cols-[14px_76px_84px_160px_44px_minmax(80px,1fr)_minmax(120px,1.6fr)] items-center gap-x-3 px-3';

interface StoredRowProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly id: string;
  readonly row: ComparedMessage;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onActive: (id: string) => void;
  readonly onOpen: (id: string | undefined) => void;
}

/** Not rendered again for each update of a run that compares thousands of messages. */
export const StoredRow = memo(function StoredRow({ ref, id, row, isActive, isOpen, onActive, onOpen }: StoredRowProps) {
  const t = useText('parser');
  const moment = useMoment();
  const { verdict, error, changes, changeCount } = row.difference;
  const fails = isFailure(verdict);
  const names = changes.slice(0, 3).map(({ path }) => path);
  const text =
    error ??
    (changeCount > names.length
      ? t('bench.changedMore', { names: names.join(', '), count: changeCount - names.length })
      : names.join(', '));
  const bytes = bytesOf(row.hex);
  return (
    <div
      ref={ref}
      id={id}
      role="row"
      tabIndex={-1}
      aria-level={1}
      aria-selected={isActive}
      aria-expanded={isOpen}
      onClick={() => {
        onActive(row.id);
        onOpen(isOpen ? undefined : row.id);
      }}
      className={cx(
        COLUMNS,
        'h-row border-b border-line',
        isActive && 'bg-selected shadow-[inset_2px_0_var(--accent)]',
        verdict === 'same' && !isActive && 'text-ink-3',
      )}
    >
      <span role="gridcell" aria-hidden className="flex justify-center">
        {fails ? <HealthMark level="ERROR" /> : SIGNS[verdict]}
      </span>
      <span role="gridcell" className={cx('truncate', fails && 'text-error-text')}>
        {t(`bench.verdict.${verdict}`)}
      </span>
      <span role="gridcell" className="type-mono truncate">
        {row.device}
      </span>
      <span role="gridcell" className="type-mono truncate">
        {row.sentMs === undefined ? row.sent : moment(row.sentMs)}
      </span>
      <span role="gridcell" className="type-mono text-right">
        {bytes.length}
      </span>
      <span role="gridcell" className="type-mono truncate">
        {bytes.slice(0, 24).join(' ')}
      </span>
      <span
        role="gridcell"
        {...tip(text)}
        className={cx('truncate', fails ? 'text-error-text' : verdict === 'same' ? 'text-ink-3' : 'text-ink-1')}
      >
        {text}
      </span>
    </div>
  );
});

interface OpenDifferenceProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly row: ComparedMessage;
  readonly labels: DeclaredLabels;
}

/** The values that differ, under the row of their message. */
export function OpenDifference({ ref, row: { difference }, labels }: OpenDifferenceProps) {
  const t = useText('parser');
  const { changes, changeCount, error, verdict } = difference;
  const none = t('bench.noValue');
  const textOf = (json: string | undefined, path: string): ReactNode => {
    if (json === undefined) return none;
    const { text, declared } = shownChange(json, path, labels);
    return (
      <>
        {text} {declared !== undefined && <span className="text-ink-3">· {declared}</span>}
      </>
    );
  };
  return (
    <div
      ref={ref}
      role="row"
      aria-level={2}
      className="border-b border-line bg-selected px-3 py-2 pl-[106px] shadow-[inset_2px_0_var(--accent)]"
    >
      <div role="gridcell">
        {error !== undefined && <p className={isFailure(verdict) ? 'text-error-text' : 'text-ink-2'}>{error}</p>}
        {error === undefined && changes.length === 0 && (
          <p className="text-ink-2">{t(NO_CHANGE_TEXTS[verdict] ?? 'bench.noDifference')}</p>
        )}
        {changes.length > 0 && (
          <dl className="grid grid-cols-[minmax(120px,1fr)_minmax(100px,1fr)_minmax(100px,2fr)] gap-x-4 gap-y-0.5">
            <dt className="text-label text-ink-3">{t('bench.column.value')}</dt>
            <dd className="text-label text-ink-3">{t('bench.saved')}</dd>
            <dd className="text-label text-ink-3">{t('bench.thisText')}</dd>
            {changes.slice(0, MAX_CHANGES).map(({ path, before, after }) => (
              <Fragment key={path}>
                <dt className="type-mono truncate">{path}</dt>
                <dd className="type-mono truncate text-ink-3">{textOf(before, path)}</dd>
                <dd className="type-mono truncate text-ink-1">
                  {before === undefined ? '+' : after === undefined ? '−' : '≠'} {textOf(after, path)}
                </dd>
              </Fragment>
            ))}
          </dl>
        )}
        {changeCount > MAX_CHANGES && (
          <p className="mt-1 text-ink-3">{t('bench.moreValues', { count: changeCount - MAX_CHANGES })}</p>
        )}
      </div>
    </div>
  );
}
