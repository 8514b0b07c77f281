import { ArrowDown, ArrowUp } from 'lucide-react';
import { type Ref, useSyncExternalStore } from 'react';

import { CHECK_WIDTH, type Column, type SortKey } from './columns.ts';
import type { Selection } from './selection.ts';

interface TableHeadProps<Row> {
  readonly ref: Ref<HTMLDivElement>;
  readonly strip: Ref<HTMLDivElement>;
  readonly columns: readonly Column<Row>[];
  readonly widths: readonly number[];
  readonly frozenCount: number;
  readonly sort: readonly SortKey[];
  readonly onSort?: (column: string) => void;
  readonly selection: Selection;
  readonly total: number;
  readonly selectAllLabel: string;
}

/** The table head: sortable titles, and the checkbox that selects all matching rows. */
export function TableHead<Row>({
  ref,
  strip,
  columns,
  widths,
  frozenCount,
  selection,
  total,
  selectAllLabel,
  ...sorting
}: TableHeadProps<Row>) {
  const title = (column: Column<Row>, index: number) => (
    <Title key={column.id} column={column} width={widths[index] ?? 0} {...sorting} />
  );
  return (
    <div ref={ref} role="row" aria-rowindex={1} className="qd-head">
      <div role="columnheader" className="qd-check" style={{ width: CHECK_WIDTH }}>
        <SelectAll selection={selection} total={total} label={selectAllLabel} />
      </div>
      {columns.slice(0, frozenCount).map(title)}
      <div ref={strip} role="none" className="qd-strip">
        {columns.slice(frozenCount).map((column, index) => title(column, index + frozenCount))}
      </div>
    </div>
  );
}

interface TitleProps<Row> {
  readonly column: Column<Row>;
  readonly width: number;
  readonly sort: readonly SortKey[];
  readonly onSort?: (column: string) => void;
}

function Title<Row>({ column, width, sort, onSort }: TitleProps<Row>) {
  const key = sort.find((sortKey) => sortKey.column === column.id);
  const Arrow = key?.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={key && (key.descending ? 'descending' : 'ascending')}
      className="qd-cell"
      style={{ width }}
      data-align={column.align}
    >
      {column.sortable && onSort ? (
        // Not in the tab order, because keyboard users sort with a command, and Tab continues to the rows.
        <button type="button" tabIndex={-1} className="qd-title" onClick={() => onSort(column.id)}>
          <span className={column.hideTitle ? 'sr-only' : 'truncate'}>{column.title}</span>
          {key && <Arrow size={11} aria-hidden className="shrink-0 text-accent" />}
        </button>
      ) : (
        <span className={column.hideTitle ? 'sr-only' : 'qd-title'}>{column.title}</span>
      )}
    </div>
  );
}

function SelectAll({ selection, total, label }: { selection: Selection; total: number; label: string }) {
  useSyncExternalStore(selection.subscribe, selection.state);
  const count = selection.count(total);
  const checked = count === 0 ? 'false' : count === total ? 'true' : 'mixed';
  return (
    <button
      type="button"
      role="checkbox"
      tabIndex={-1}
      aria-checked={checked}
      aria-label={label}
      className="qd-box"
      onClick={() => (checked === 'true' ? selection.clear() : selection.selectAll())}
    />
  );
}
