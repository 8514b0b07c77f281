import { Fragment, useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';

import type { Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { isFailure, VERDICTS, type Counts, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';
import type { DeclaredLabels } from '#commands/nouns/data/parser/bench/labels.ts';
import { useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

import { shownRows } from './stored-rows.ts';
import { COLUMNS, OpenDifference, StoredRow } from './StoredRow.tsx';
import { isKeyFor } from './use-bench-keys.ts';

const MAX_SQUARES = 30;

interface StoredPaneProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly comparison: Comparison | undefined;
  /** The verdict of the messages to list. Undefined for all messages. */
  readonly verdict: Verdict | undefined;
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
  readonly onVerdict: (verdict: Verdict | undefined) => void;
}

/** The results of stored messages, compared with those of the saved definition. */
export function StoredPane(props: StoredPaneProps) {
  const { ref, comparison, verdict, labels, isStale, controls, empty, active, openId, onActive, onOpen, onVerdict } =
    props;
  const t = useText('parser');
  const rows = shownRows(comparison, verdict);
  const hiddenCount = comparison
    ? (verdict ? comparison.counts[verdict] : comparison.verdicts.length) - rows.length
    : 0;
  const activeIndex = rows.findIndex(({ id }) => id === active);
  const activeRow = useRef<HTMLDivElement>(null);
  const openDifference = useRef<HTMLDivElement>(null);
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  useEffect(() => {
    if (openId === undefined) return;
    openDifference.current?.scrollIntoView({ block: 'nearest' });
    // A difference that is higher than the pane begins with its row.
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [openId]);

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
            <Summary counts={comparison.counts} verdict={verdict} onVerdict={onVerdict} />
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
          className={cx('h-full scroll-pt-7 overflow-y-auto', isStale && '**:text-ink-3!')}
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
                onActive={onActive}
                onOpen={onOpen}
              />
              {row.id === openId && <OpenDifference ref={openDifference} row={row} labels={labels} />}
            </Fragment>
          ))}
          {rows.length === 0 && (
            <div role="row">
              <div role="gridcell" className="px-3 py-3 text-ink-3">
                {empty}
              </div>
            </div>
          )}
          {hiddenCount > 0 && (
            <div role="row">
              <div role="gridcell" className="px-3 py-1.5 text-ink-3">
                {t('bench.moreMessages', { count: hiddenCount })}
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
        <Hint commands={['parser-bench.next-verdict']} text={t('bench.hint.verdict')} />
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
            isFailure(verdict) && 'border-health-error bg-health-error',
            verdict === 'changed' && 'border-ink-2 bg-ink-2',
            verdict === 'nowWorks' && 'border-ink-2 bg-surface-3',
            (verdict === 'same' || verdict === 'works') && 'border-line-strong',
            verdict === active && 'border-accent',
          )}
        />
      ))}
    </span>
  );
}

interface SummaryProps {
  readonly counts: Counts;
  readonly verdict: Verdict | undefined;
  readonly onVerdict: (verdict: Verdict | undefined) => void;
}

const SUMMARY_ORDER: readonly Verdict[] = ['same', 'works', 'changed', 'nowWorks', 'nowFails', 'fails'];

/** The number of messages with each verdict. Pressing one lists only those. */
function Summary({ counts, verdict: shown, onVerdict }: SummaryProps) {
  const t = useText('parser');
  return (
    <div role="status" className="-mx-1 flex flex-wrap gap-x-1 whitespace-nowrap">
      {SUMMARY_ORDER.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <button
          key={verdict}
          type="button"
          aria-pressed={verdict === shown}
          onClick={() => onVerdict(verdict === shown ? undefined : verdict)}
          className={cx(
            'rounded-chip px-1 hover:bg-surface-2 aria-pressed:bg-selected aria-pressed:shadow-[inset_0_0_0_1px_var(--accent)]',
            isFailure(verdict) ? 'text-error-text' : verdict === 'same' ? 'text-ink-3' : 'text-ink-1',
          )}
        >
          {t(`bench.count.${verdict}`, { count: counts[verdict] })}
        </button>
      ))}
    </div>
  );
}
