import { useQuery } from '@tanstack/react-query';
import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import type { Column, DetailPart, Related } from '#commands/core/entity';
import { failureOf } from '#commands/core/errors';

import { contextNow } from '../host/context.ts';
import { useMoment, useSay, useText } from '../i18n.ts';
import { enterTabAtom, openLineAtom } from '../state/focus.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { Cell } from './Cell.tsx';
import { useOpenItem } from './ItemLink.tsx';

interface RelatedListProps {
  readonly title: string;
  /** What it is kept under; ends in the id of the item. */
  readonly queryKey: readonly unknown[];
  readonly related: Related<unknown>;
  readonly item: unknown;
  /** Part of a screen: that there is nothing is said in passing. */
  readonly quiet?: boolean;
}

/** What belongs to an item: its messages, its events, its calls. Rows open to be read; arrow keys walk them. */
export function RelatedList({ title, queryKey, related, item, quiet = false }: RelatedListProps) {
  const say = useSay();
  const text = useText();
  const moment = useMoment();
  const detailText = ({ text: said, at }: DetailPart): string =>
    at !== undefined ? moment(at) : typeof said === 'object' ? say(said) : said;
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => related.load({ ...contextNow({ signal }) }, item),
  });
  const itemOpener = useOpenItem();
  // An opened line is a layer of its own: what leaves the topmost layer closes it, and nothing below.
  const setOpenLine = useSetAtom(openLineAtom);
  const isOpen = open !== undefined && data?.some((row) => related.key(row) === open) === true;
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): void => {
      setOpen(undefined);
      list.current?.querySelector<HTMLElement>('[data-row-head][aria-expanded="true"]')?.focus();
    };
    setOpenLine({ close });
    return () => setOpenLine((line) => (line?.close === close ? undefined : line));
  }, [isOpen, setOpenLine]);
  const [entered, setEntered] = useAtom(enterTabAtom);
  const entering = entered === related.id;
  useEffect(() => {
    if (!entering || !data) return;
    setEntered(undefined);
    list.current?.querySelector<HTMLElement>('[data-row-head]')?.focus();
  }, [entering, data, setEntered]);
  if (error && !data) {
    return (
      <ErrorState
        title={text('panel.failed', { title })}
        message={say(failureOf(error).message)}
        retry={{ label: text('screen.retry'), run: () => void refetch() }}
      />
    );
  }
  if (!data)
    return (
      <div className="px-4 py-2">
        <SkeletonRows count={6} label={text('panel.loading', { title })} />
      </div>
    );
  if (data.length === 0) {
    const empty = text('panel.empty', { title });
    return quiet ? <p className="px-4 text-ink-3">{empty}</p> : <EmptyState title={empty} />;
  }

  const columns = shownColumns(related.columns, data);
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-head]') ?? [])];
    const next = heads[heads.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };

  return (
    <ul ref={list} aria-label={title} onKeyDown={walk} className="py-1">
      {data.map((row) => {
        const key = related.key(row);
        const cells = columns.map((column) => (
          <span
            key={column.id}
            className="max-w-full min-w-0 truncate"
            style={{ flex: `${column.grow ?? 0} 0 ${column.width}px` }}
          >
            <RowCell column={column} row={row} />
          </span>
        ));
        const openItem = related.opens && itemOpener(related.opens(row));
        if (openItem) {
          return (
            <li key={key}>
              <button
                type="button"
                data-row-head=""
                onClick={openItem}
                className="row-cells w-full px-4 text-left hover:bg-surface-2"
              >
                {cells}
              </button>
            </li>
          );
        }
        if (!related.detail) {
          return (
            <li key={key} className="row-cells px-4">
              {cells}
            </li>
          );
        }
        return (
          <li key={key}>
            <Disclosure open={open === key} onOpen={(next) => setOpen(next ? key : undefined)} head={cells}>
              <dl className="flex flex-col gap-2 px-4 pt-1 pb-3">
                {related.detail(row).map((part) => (
                  <div key={part.label.key}>
                    <dt className="text-label text-ink-3">{say(part.label)}</dt>
                    <dd
                      className={
                        part.mono
                          ? 'type-mono rounded-field bg-surface-2 p-2 break-all whitespace-pre-wrap'
                          : 'break-words'
                      }
                    >
                      {detailText(part)}
                    </dd>
                  </div>
                ))}
              </dl>
            </Disclosure>
          </li>
        );
      })}
      {data.length >= related.limit && (
        <li className="px-4 py-2 text-label text-ink-3">{text('panel.capped', { limit: related.limit })}</li>
      )}
    </ul>
  );
}

/** Without those that no row has anything for: room is scarce in a panel. */
function shownColumns(columns: readonly Column<unknown>[], rows: readonly unknown[]): readonly Column<unknown>[] {
  return columns.filter((column) =>
    rows.some((row) => column.value(row) || column.at?.(row) !== undefined || column.tags?.(row).length),
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
      at={column.at?.(row)}
    />
  );
}
