import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import type { Column, DetailPart } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { useMoment, useTranslate, useText } from '#src/i18n/i18n.ts';
import { tabToFocusAtom, expandedRowAtom } from '#src/state/focus.ts';
import { cx } from '#src/ui/cx.ts';
import { Disclosure } from '#src/ui/Disclosure.tsx';

import { Cell } from './Cell.tsx';
import { useOpenItem } from './ItemLink.tsx';

interface DetailTabRowsProps {
  readonly title: string;
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
  readonly rows: readonly unknown[];
  /** Loads the next page. */
  readonly loadMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
  /** The reason why the next page failed to load. */
  readonly problem: string | undefined;
}

/** Rows that expand or open an item. The arrow keys move between them. */
export function DetailTabRows({ title, tab, item, rows, loadMore, isLoadingMore, problem }: DetailTabRowsProps) {
  const t = useText();
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<string>();
  const itemOpener = useOpenItem();
  // An expanded row is its own layer, so closing the topmost layer closes only the row.
  const setExpandedRow = useSetAtom(expandedRowAtom);
  const isOpen = open !== undefined && rows.some((row) => tab.key(row) === open);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): void => {
      setOpen(undefined);
      list.current?.querySelector<HTMLElement>('[data-row-head][aria-expanded="true"]')?.focus();
    };
    setExpandedRow({ close });
    return () => setExpandedRow((row) => (row?.close === close ? undefined : row));
  }, [isOpen, setExpandedRow]);
  const [enteredTab, setEnteredTab] = useAtom(tabToFocusAtom);
  const isEntering = enteredTab === tab.id;
  useEffect(() => {
    if (!isEntering) return;
    setEnteredTab(undefined);
    list.current?.querySelector<HTMLElement>('[data-row-head]')?.focus();
  }, [isEntering, setEnteredTab]);

  const columns = nonEmptyColumns(tab.columns, rows);
  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-head]') ?? [])];
    const index = heads.indexOf(document.activeElement as HTMLElement);
    const next = heads[index + step];
    if (!next && index < 0) return;
    event.preventDefault();
    // Past the last row, the key must not move the cursor of the table behind the panel.
    event.stopPropagation();
    next?.focus();
  };

  return (
    <ul ref={list} aria-label={title} onKeyDown={moveFocus} className="py-1">
      {rows.map((row) => {
        const key = tab.key(row);
        const cells = columns.map((column) => (
          <span
            key={column.id}
            className={cx(
              'max-w-full min-w-0 truncate',
              (column.kind === 'time' || column.kind === 'day') && 'text-ink-2',
            )}
            style={{ flex: `${column.grow ?? 0} 0 ${column.width}px` }}
          >
            <RowCell column={column} row={row} />
          </span>
        ));
        const represented = tab.opens?.(row, item);
        const openItem = represented && itemOpener(represented);
        if (openItem) {
          return (
            <li key={key}>
              <button
                type="button"
                data-row-head=""
                onClick={openItem}
                className="row-cells w-full px-4 text-left hover:bg-surface-2 focus-visible:-outline-offset-2"
              >
                {cells}
              </button>
            </li>
          );
        }
        if (!tab.detail) {
          return (
            <li key={key} className="row-cells px-4">
              {cells}
            </li>
          );
        }
        return (
          <li key={key}>
            <Disclosure
              open={open === key}
              onOpenChange={(isOpening) => setOpen(isOpening ? key : undefined)}
              head={cells}
            >
              <Detail parts={tab.detail(row)} />
            </Disclosure>
          </li>
        );
      })}
      {loadMore && (
        <li>
          <button
            type="button"
            data-row-head=""
            aria-disabled={isLoadingMore || undefined}
            onClick={isLoadingMore ? undefined : loadMore}
            className="w-full px-4 py-2 text-left text-accent hover:bg-surface-2 aria-disabled:text-ink-3"
          >
            {t(isLoadingMore ? 'panel.loadingMore' : 'panel.more')}
          </button>
          {problem !== undefined && (
            <p role="alert" className="px-4 text-error-text">
              {problem}
            </p>
          )}
        </li>
      )}
      {!tab.pages && rows.length >= tab.limit && (
        <li className="px-4 py-2 text-label text-ink-3">{t('panel.capped', { limit: tab.limit })}</li>
      )}
    </ul>
  );
}

/** The full content of a row. */
function Detail({ parts }: { readonly parts: readonly DetailPart[] }) {
  const translate = useTranslate();
  const moment = useMoment();
  const format = ({ text, time }: DetailPart): string =>
    time !== undefined ? moment(time) : typeof text === 'object' ? translate(text) : text;
  return (
    <dl className="flex flex-col gap-2 px-4 pt-1 pb-3">
      {parts.map((part) => (
        <div key={part.label.key}>
          <dt className="text-label text-ink-3">{translate(part.label)}</dt>
          <dd
            className={
              part.mono ? 'type-mono rounded-field bg-surface-2 p-2 break-all whitespace-pre-wrap' : 'break-words'
            }
          >
            {format(part)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Omits columns that are empty in every row, because a panel has room for only a few columns. */
function nonEmptyColumns(columns: readonly Column<unknown>[], rows: readonly unknown[]): readonly Column<unknown>[] {
  return columns.filter((column) =>
    rows.some((row) => column.value(row) || column.time?.(row) !== undefined || column.tags?.(row).length),
  );
}

function RowCell({ column, row }: { readonly column: Column<unknown>; readonly row: unknown }) {
  const level = column.level?.(row);
  const tags = column.tags?.(row);
  return (
    <Cell
      kind={column.kind}
      value={column.value(row)}
      {...(level ? { level } : {})}
      {...(tags ? { tags } : {})}
      time={column.time?.(row)}
    />
  );
}
