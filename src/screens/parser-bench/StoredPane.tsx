import { Fragment, useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';

import type { ComparedMessage, Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { VERDICTS, type Counts, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';
import { shownChange, type DeclaredLabels } from '#commands/nouns/data/parser/bench/labels.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';
import { tip } from '#src/ui/tip.ts';

import { bytesOf } from './segments.ts';
import { shownRows } from './stored-rows.ts';
import { isKeyFor } from './use-bench-keys.ts';

/** A verdict's sign. No verdict is shown by its color alone. */
const SIGNS: Readonly<Record<Exclude<Verdict, 'nowFails'>, string>> = { changed: '≠', nowWorks: '+', same: '=' };
const MAX_SQUARES = 60;
const MAX_CHANGES = 12;

interface StoredPaneProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly comparison: Comparison | undefined;
  /** How to show the values that differ. */
  readonly labels: DeclaredLabels;
  readonly isStale: boolean;
  /** The filter, and the buttons that start and stop a run. */
  readonly controls: ReactNode;
  readonly empty: string;
  readonly active: string | undefined;
  readonly openId: string | undefined;
  readonly onActive: (id: string) => void;
  readonly onOpen: (id: string | undefined) => void;
}

/** The results of stored messages, compared with those of the saved definition. */
export function StoredPane(props: StoredPaneProps) {
  const { ref, comparison, labels, isStale, controls, empty, active, openId, onActive, onOpen } = props;
  const t = useText('parser');
  const rows = shownRows(comparison);
  const activeIndex = rows.findIndex(({ id }) => id === active);
  const activeRow = useRef<HTMLDivElement>(null);
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const goToRow = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (row) onActive(row.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[activeIndex];
    const actions: Readonly<Record<string, () => void>> = {
      'view.next-row': () => goToRow(activeIndex + 1),
      'view.previous-row': () => goToRow(activeIndex - 1),
      'view.open': () => row && onOpen(openId === row.id ? undefined : row.id),
    };
    const id = Object.keys(actions).find((command) => isKeyFor(command, event));
    if (id === undefined) return;
    event.preventDefault();
    actions[id]?.();
  };

  return (
    <section aria-label={t('bench.stored')} className="flex min-h-0 flex-1 flex-col border-t border-line">
      <div className="flex min-h-[30px] shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <h2 className="font-semibold">
          {comparison ? t('bench.storedCount', { count: comparison.verdicts.length }) : t('bench.stored')}
        </h2>
        {comparison && comparison.verdicts.length > 0 && (
          <>
            <Squares counts={comparison.counts} active={rows[activeIndex]?.difference.verdict} />
            <Summary counts={comparison.counts} />
          </>
        )}
        <span className="flex-1" />
        {controls}
      </div>
      <div className="focus-frame min-h-0 flex-1">
        <div
          ref={ref}
          role="treegrid"
          tabIndex={0}
          aria-label={t('bench.storedList')}
          aria-activedescendant={activeIndex < 0 ? undefined : `bench-stored-${activeIndex}`}
          onKeyDown={onKeyDown}
          className={cx('h-full overflow-y-auto', isStale && '**:text-ink-3!')}
        >
          <div
            role="row"
            className={cx(COLUMNS, 'sticky top-0 h-row border-b border-line bg-surface-1 text-label text-ink-3')}
          >
            <span role="columnheader">
              <span className="sr-only">{t('bench.column.sign')}</span>
            </span>
            {['verdict', 'device', 'sent', 'bytes', 'content', 'difference'].map((id) => (
              <span key={id} role="columnheader" className={cx('truncate', id === 'bytes' && 'text-right')}>
                {t(`bench.column.${id}`)}
              </span>
            ))}
          </div>
          {rows.map((row, index) => (
            <Fragment key={row.id}>
              <StoredRow
                {...(index === activeIndex ? { ref: activeRow } : {})}
                id={`bench-stored-${index}`}
                row={row}
                isActive={index === activeIndex}
                isOpen={row.id === openId}
                onPick={() => {
                  onActive(row.id);
                  onOpen(row.id === openId ? undefined : row.id);
                }}
              />
              {row.id === openId && <OpenDifference row={row} labels={labels} />}
            </Fragment>
          ))}
          {rows.length === 0 && (
            <div role="row">
              <div role="gridcell" className="px-3 py-3 text-ink-3">
                {empty}
              </div>
            </div>
          )}
          {comparison !== undefined && comparison.verdicts.length > rows.length && (
            <div role="row">
              <div role="gridcell" className="px-3 py-1.5 text-ink-3">
                {t('bench.moreMessages', { count: comparison.verdicts.length - rows.length })}
              </div>
            </div>
          )}
        </div>
      </div>
      <div className="flex h-6 shrink-0 items-center gap-3 overflow-hidden border-t border-line px-3 text-label whitespace-nowrap text-ink-3">
        <Hint
          commands={['parser-bench.next-difference', 'parser-bench.previous-difference']}
          text={t('bench.hint.next')}
        />
        <Hint commands={['view.open']} text={t('bench.hint.open')} />
        <Hint commands={['parser-bench.load-message']} text={t('bench.hint.put')} />
        <Hint commands={['parser-bench.next-pane']} text={t('bench.hint.pane')} />
        <Hint commands={['parser-bench.next-error']} text={t('bench.hint.error')} />
      </div>
    </section>
  );
}

/** The keys of commands, and what they do. Nothing for commands without keys. */
function Hint({ commands, text }: { readonly commands: readonly string[]; readonly text: string }) {
  const keyHints = useKeyHints();
  const keys = commands.flatMap((id) => keyHints(directory().command(id))?.text ?? []);
  return keys.length > 0 && <KeyText keys={keys.join(' ')} text={text} />;
}

/** Keys, and what they do. */
export function KeyText({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <Kbd keys={keys} framed spoken /> {text}
    </span>
  );
}

const COLUMNS =
  'grid grid-cols-[14px_76px_84px_160px_44px_minmax(80px,1fr)_minmax(120px,1.6fr)] items-center gap-x-3 px-3';

/** One square per message, or per group of messages if there are many. Failures come first. */
function Squares({ counts, active }: { readonly counts: Counts; readonly active: Verdict | undefined }) {
  const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const scale = Math.min(1, MAX_SQUARES / total);
  const squares = VERDICTS.flatMap((verdict) =>
    Array.from(
      { length: counts[verdict] === 0 ? 0 : Math.max(1, Math.round(counts[verdict] * scale)) },
      (_, index) => ({
        id: `${verdict} ${index}`,
        verdict,
      }),
    ),
  );
  return (
    <span aria-hidden className="flex max-w-full flex-wrap gap-px">
      {squares.map(({ id, verdict }) => (
        <span
          key={id}
          className={cx(
            'box-border h-3 w-2.5 rounded-[2px] border',
            verdict === 'nowFails' && 'border-health-error bg-health-error',
            verdict === 'changed' && 'border-ink-2 bg-ink-2',
            verdict === 'nowWorks' && 'border-ink-2 bg-surface-3',
            verdict === 'same' && 'border-line-strong',
            verdict === active && 'border-accent',
          )}
        />
      ))}
    </span>
  );
}

function Summary({ counts }: { readonly counts: Counts }) {
  const t = useText('parser');
  const order: readonly Verdict[] = ['same', 'changed', 'nowWorks', 'nowFails'];
  return (
    <p role="status" className="flex gap-3 whitespace-nowrap">
      {order
        .filter((verdict) => counts[verdict] > 0)
        .map((verdict) => (
          <span
            key={verdict}
            className={verdict === 'nowFails' ? 'text-error-text' : verdict === 'same' ? 'text-ink-3' : 'text-ink-1'}
          >
            {t(`bench.count.${verdict}`, { count: counts[verdict] })}
          </span>
        ))}
    </p>
  );
}

interface StoredRowProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly id: string;
  readonly row: ComparedMessage;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onPick: () => void;
}

function StoredRow({ ref, id, row, isActive, isOpen, onPick }: StoredRowProps) {
  const t = useText('parser');
  const moment = useMoment();
  const { verdict, error, changes, changeCount } = row.difference;
  const fails = verdict === 'nowFails';
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
      onClick={onPick}
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
}

interface OpenDifferenceProps {
  readonly row: ComparedMessage;
  readonly labels: DeclaredLabels;
}

/** The values that differ, under the row of their message. */
function OpenDifference({ row: { difference }, labels }: OpenDifferenceProps) {
  const t = useText('parser');
  const { changes, changeCount, error, verdict } = difference;
  const none = t('bench.noValue');
  const textOf = (json: string | undefined, path: string): ReactNode => {
    if (json === undefined) return none;
    const { text, declared } = shownChange(json, path, labels);
    return (
      <>
        {text} {declared !== undefined && <span className="text-ink-3">{declared}</span>}
      </>
    );
  };
  return (
    <div
      role="row"
      aria-level={2}
      className="border-b border-line bg-selected px-3 py-2 pl-[106px] shadow-[inset_2px_0_var(--accent)]"
    >
      <div role="gridcell">
        {error !== undefined && <p className={verdict === 'nowFails' ? 'text-error-text' : 'text-ink-2'}>{error}</p>}
        {error === undefined && changes.length === 0 && <p className="text-ink-2">{t('bench.noDifference')}</p>}
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
