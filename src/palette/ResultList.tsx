import { Check } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';

import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { layOut, visible, type Entry } from './list-layout.ts';
import { useMarks } from './mark.ts';
import './palette.css';
import type { Group, Row } from './rows.ts';

interface ResultListProps<R extends Row> {
  /** Of the listbox; the input's `aria-controls`. Row elements have `rowId(id, row.id)`. */
  readonly id: string;
  /** Accessible name. */
  readonly label: string;
  readonly groups: readonly Group<R>[];
  readonly active: R | undefined;
  readonly onActive: (id: string) => void;
  readonly onTake: (row: R) => void;
  /** px; the list is as high as what is in it, up to this. */
  readonly maxHeight: number;
}

export function rowId(list: string, row: string): string {
  return `${list}-${row.replace(/\s/g, '_')}`;
}

/**
 * A listbox of any length that draws only what can be seen. It never has focus: the field above it says which row is active, and that row is
 * drawn even when it was scrolled away.
 */
export function ResultList<R extends Row>({
  id,
  label,
  groups,
  active,
  onActive,
  onTake,
  maxHeight,
}: ResultListProps<R>) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const layout = useMemo(() => layOut(groups), [groups]);
  const height = Math.min(layout.height, maxHeight);
  const at = Math.max(0, Math.min(scrolled, layout.height - height));
  const activeEntry = layout.entries.find((entry) => entry.row && entry.row.id === active?.id);
  const shown = useMemo(() => {
    const seen = visible(layout, at, at + height);
    return activeEntry && !seen.includes(activeEntry) ? [...seen, activeEntry] : seen;
  }, [layout, at, height, activeEntry]);
  const marks = useMemo(
    () => new Map(shown.flatMap(({ row }) => (row?.ranges?.length ? [[rowId(id, row.id), row.ranges] as const] : []))),
    [shown, id],
  );
  useMarks(box, marks);

  // The active row is brought into view when it changes, with the heading above it if it is the first.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !activeEntry) return;
    const top = activeEntry.place === 1 ? 0 : activeEntry.top;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (activeEntry.top + activeEntry.height > element.scrollTop + height) {
      element.scrollTop = activeEntry.top + activeEntry.height - height;
    }
  }, [activeEntry, height]);

  return (
    <div
      ref={box}
      id={id}
      role="listbox"
      aria-label={label}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      style={{ height }}
      className="relative overflow-y-auto overscroll-contain"
    >
      <div role="presentation" style={{ height: layout.height }}>
        {shown.map((entry) =>
          entry.row ? (
            <RowLine
              key={entry.key}
              id={rowId(id, entry.row.id)}
              row={entry.row}
              entry={entry}
              of={layout.rows}
              active={entry === activeEntry}
              onActive={onActive}
              onTake={onTake}
            />
          ) : (
            <div
              key={entry.key}
              role="presentation"
              style={{ transform: `translateY(${entry.top}px)`, height: entry.height }}
              className="absolute inset-x-0 top-0 flex items-end px-4 pb-1 text-label text-ink-3"
            >
              {entry.heading}
            </div>
          ),
        )}
      </div>
    </div>
  );
}

interface RowLineProps<R extends Row> {
  readonly id: string;
  readonly row: R;
  readonly entry: Entry<R>;
  readonly of: number;
  readonly active: boolean;
  readonly onActive: (id: string) => void;
  readonly onTake: (row: R) => void;
}

function RowLine<R extends Row>({ id, row, entry, of, active, onActive, onTake }: RowLineProps<R>) {
  const quiet = row.reason ?? row.detail;
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-checked={row.checked}
      aria-disabled={row.reason !== undefined || undefined}
      aria-posinset={entry.place}
      aria-setsize={of}
      // A press must not take focus from the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => !active && onActive(row.id)}
      onClick={() => onTake(row)}
      style={{ transform: `translateY(${entry.top}px)`, height: entry.height }}
      className={cx(
        'absolute inset-x-1.5 top-0 flex items-center gap-2.5 rounded-field px-2.5',
        active && 'bg-surface-3',
        row.reason === undefined ? 'text-ink-1' : 'text-ink-3',
      )}
    >
      {row.checked && <Check size={13} aria-hidden className="shrink-0 text-accent" />}
      <span data-label="" className="max-w-[70%] shrink-0 truncate">
        {row.label}
      </span>
      {quiet && <span className="min-w-0 truncate text-label text-ink-3">{quiet}</span>}
      {row.keys !== undefined && <Kbd keys={row.keys} className="ml-auto" />}
      {row.keys === undefined && active && (
        <span aria-hidden className="ml-auto">
          <Kbd keys="⏎" />
        </span>
      )}
    </div>
  );
}
