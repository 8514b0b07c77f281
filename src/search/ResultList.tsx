import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';

import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

import { listEntries, ROW_HEIGHT, type Entry } from './list-entries.ts';
import { useMarks } from './mark.ts';

import './results.css';
import type { Group, Row } from './rows.ts';

interface ResultListProps<R extends Row> {
  /** The prefix of row ids: `rowId(id, row.id)`. */
  readonly id: string;
  /** Accessible name. */
  readonly label: string;
  readonly groups: readonly Group<R>[];
  readonly active: R | undefined;
  readonly onActive: (id: string) => void;
  readonly onPick: (row: R) => void;
  /** Maximum height in px. A shorter list is as tall as its content. */
  readonly maxHeight: number;
}

export function rowId(list: string, row: string): string {
  return `${list}-${row.replace(/\s/g, '_')}`;
}

/**
 * A listbox of any length that renders only the visible rows. It never has focus. The field above it refers to the
 * active row, which stays rendered even if it is scrolled out of view.
 */
export function ResultList<R extends Row>({
  id,
  label,
  groups,
  active,
  onActive,
  onPick,
  maxHeight,
}: ResultListProps<R>) {
  const box = useRef<HTMLDivElement>(null);
  const list = useMemo(() => listEntries(groups), [groups]);
  const activeIndex = list.entries.findIndex((entry) => entry.row && entry.row.id === active?.id);
  const activeEntry = list.entries[activeIndex];
  const height = Math.min(list.height, maxHeight);
  // The virtualizer recomputes the positions when this function changes.
  const getItemKey = useCallback((index: number) => list.entries[index]?.key ?? index, [list]);
  const virtual = useVirtualizer({
    count: list.entries.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => list.entries[index]?.height ?? ROW_HEIGHT,
    getItemKey,
    overscan: 1,
    // The size is known in advance, so the first rows need no measurement.
    initialRect: { width: 0, height: maxHeight },
    observeElementRect: (_, notify) => notify({ width: 0, height: maxHeight }),
    rangeExtractor: (range) => {
      const visibleIndexes = defaultRangeExtractor(range);
      return activeIndex < 0 || visibleIndexes.includes(activeIndex)
        ? visibleIndexes
        : [...visibleIndexes, activeIndex];
    },
  });
  const visibleItems = virtual.getVirtualItems();
  const marks = useMemo(() => {
    const rows = visibleItems.flatMap(({ index }) => list.entries[index]?.row ?? []);
    return new Map(rows.flatMap((row) => (row.ranges?.length ? [[rowId(id, row.id), row.ranges] as const] : [])));
  }, [visibleItems, list, id]);
  useMarks(box, marks);

  // Scrolls a new active row into view, and for the first row, also the heading above it.
  useLayoutEffect(() => {
    if (!activeEntry) return;
    const top = activeEntry.position === 1 ? 0 : activeEntry.top;
    const scrollOffset = virtual.scrollOffset ?? 0;
    // Scrolling forces a layout, so it is skipped for a row in view.
    if (top >= scrollOffset && activeEntry.top + activeEntry.height <= scrollOffset + height) return;
    virtual.scrollToIndex(activeEntry.position === 1 ? 0 : activeIndex, { align: 'auto' });
  }, [virtual, activeIndex, activeEntry, height]);

  return (
    <Command.List
      ref={box}
      label={label}
      style={{ height }}
      className="palette-list relative overflow-y-auto overscroll-contain"
    >
      <div role="presentation" style={{ height: list.height }}>
        {visibleItems.map(({ index, start }) => {
          const entry = list.entries[index];
          if (!entry) return null;
          return entry.row ? (
            <RowLine
              key={index}
              id={rowId(id, entry.row.id)}
              row={entry.row}
              entry={entry}
              top={start}
              setSize={list.rowCount}
              active={entry === activeEntry}
              onActive={onActive}
              onPick={onPick}
            />
          ) : (
            <div
              key={index}
              role="presentation"
              style={{ transform: `translateY(${start}px)`, height: entry.height }}
              className="absolute inset-x-0 top-0 flex items-end px-4 pb-1 text-label text-ink-3"
            >
              {entry.heading}
            </div>
          );
        })}
      </div>
    </Command.List>
  );
}

interface RowLineProps<R extends Row> {
  readonly id: string;
  readonly row: R;
  readonly entry: Entry<R>;
  /** px from the top of the list. */
  readonly top: number;
  readonly setSize: number;
  readonly active: boolean;
  readonly onActive: (id: string) => void;
  readonly onPick: (row: R) => void;
}

function RowLine<R extends Row>({ id, row, entry, top, setSize, active, onActive, onPick }: RowLineProps<R>) {
  const secondaryText = row.reason ?? row.detail;
  return (
    <div
      id={id}
      role="option"
      onClick={() => onPick(row)}
      {...row.keys?.attributes}
      tabIndex={-1}
      aria-selected={active}
      aria-checked={row.checked}
      aria-disabled={row.reason !== undefined || undefined}
      aria-posinset={entry.position}
      aria-setsize={setSize}
      // A press must not take focus from the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => !active && onActive(row.id)}
      style={{ transform: `translateY(${top}px)`, height: entry.height }}
      className={cx(
        'absolute inset-x-1.5 top-0 flex items-center gap-2.5 rounded-field px-2.5',
        active && 'bg-surface-3',
        active && row.keys === undefined && 'palette-pick',
        active && row.keys === undefined && row.kind === undefined && 'palette-pick-end',
        row.reason === undefined ? 'text-ink-1' : 'text-ink-3',
      )}
    >
      {row.checked && <Check size={13} aria-hidden className="shrink-0 text-accent" />}
      <span data-label="" className="max-w-[70%] shrink-0 truncate">
        {row.label}
      </span>
      {secondaryText && <span className="min-w-0 truncate text-label text-ink-3">{secondaryText}</span>}
      {row.keys !== undefined && <Kbd keys={row.keys.text} className="ml-auto" />}
      {row.keys === undefined && row.kind !== undefined && (
        <span className="ml-auto shrink-0 text-label text-ink-3">{row.kind}</span>
      )}
    </div>
  );
}
