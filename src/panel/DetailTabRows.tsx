import { useRef } from 'react';

import type { Column, DetailPart } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { useMoment, useTranslate, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { Disclosure } from '#src/ui/Disclosure.tsx';

import { Cell } from './Cell.tsx';
import { ItemLinks, useOpenItem } from './ItemLink.tsx';
import { LoadMore } from './LoadMore.tsx';
import { useExpandedRow, useListFocus } from './use-list-focus.ts';

export interface DetailTabRowsProps {
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
  const translate = useTranslate();
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useExpandedRow(list, rows.map(tab.key));
  const itemOpener = useOpenItem();
  const moveFocus = useListFocus(list, tab.id);
  const columns = nonEmptyColumns(tab.columns, rows);

  return (
    <ul ref={list} aria-label={title} onKeyDown={moveFocus} className="py-1">
      {columns.some(({ title: head }) => head) && (
        // Each cell repeats its head for screen readers.
        <li aria-hidden className="row-cells border-b border-line px-4 text-label text-ink-3">
          {columns.map((column) => (
            <span key={column.id} className="min-w-0 truncate" style={{ flex: flexOf(column) }}>
              {column.title && translate(column.title)}
            </span>
          ))}
        </li>
      )}
      {rows.map((row) => {
        const key = tab.key(row);
        const cells = columns.map((column) => (
          <span
            key={column.id}
            className={cx(
              'max-w-full min-w-0 truncate',
              (column.kind === 'time' || column.kind === 'day') && 'text-ink-2',
            )}
            style={{ flex: flexOf(column) }}
          >
            {column.title && <span className="sr-only">{translate(column.title)} </span>}
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
              <Detail parts={tab.detail(row, item)} />
            </Disclosure>
          </li>
        );
      })}
      {loadMore && (
        <li>
          <LoadMore load={loadMore} isLoading={isLoadingMore} problem={problem} />
        </li>
      )}
      {!tab.pages && rows.length >= tab.limit && (
        <li className="px-4 py-2 text-label text-ink-3">{t('panel.capped', { limit: tab.limit })}</li>
      )}
    </ul>
  );
}

const flexOf = ({ grow = 0, width }: Column<unknown>): string => `${grow} 0 ${width}px`;

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
            {part.links?.length ? <ItemLinks links={part.links} /> : format(part)}
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
