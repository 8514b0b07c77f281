import { ArrowDown, ArrowUp } from 'lucide-react';
import { type Ref, useSyncExternalStore } from 'react';

import type { Column, SortKey } from './columns.ts';
import type { Selection } from './selection.ts';

interface TableHeadProps<Row> {
  readonly ref: Ref<HTMLDivElement>;
  readonly columns: readonly Column<Row>[];
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
  columns,
  frozenCount,
  selection,
  total,
  selectAllLabel,
  ...sorting
}: TableHeadProps<Row>) {
  const title = (column: Column<Row>) => <Title key={column.id} column={column} {...sorting} />;
  return (
    <div ref={ref} role="row" aria-rowindex={1} className="qd-head">
      <div role="none" className="qd-frozen" style={{ gridColumn: `1 / span ${frozenCount + 1}` }}>
        <div role="columnheader" className="qd-check">
          <SelectAll selection={selection} total={total} label={selectAllLabel} />
        </div>
        {columns.slice(0, frozenCount).map(title)}
      </div>
      {columns.slice(frozenCount).map(title)}
    </div>
  );
}

interface TitleProps<Row> {
  readonly column: Column<Row>;
  readonly sort: readonly SortKey[];
  readonly onSort?: (column: string) => void;
}

function Title<Row>({ column, sort, onSort }: TitleProps<Row>) {
  const key = sort.find((sortKey) => sortKey.column === column.id);
  const Arrow = key?.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={key && (key.descending ? 'descending' : 'ascending')}
      className="qd-cell"
      data-align={column.align}
    >
      {column.sortable && onSort ? (
        // Out of the tab order: the keyboard sorts with a command, and Tab continues to the rows.
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
