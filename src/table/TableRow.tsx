import { memo, useSyncExternalStore } from 'react';

import { CELL_PADDING, CHECK_WIDTH, type Column } from './columns.ts';
import type { RowSlot } from './row-slot.ts';

interface TableRowProps<Row> {
  readonly slot: RowSlot<Row>;
  readonly columns: readonly Column<Row>[];
  readonly widths: readonly number[];
  readonly frozenCount: number;
  readonly selectLabel: string;
}

/** The cells of one slot. TableView sets position, index and selection of the row without rendering. */
export const TableRow = memo(function TableRow<Row>({
  slot,
  columns,
  widths,
  frozenCount,
  selectLabel,
}: TableRowProps<Row>) {
  const row = useSyncExternalStore(slot.subscribe, slot.row);
  const cell = (column: Column<Row>, index: number) => {
    const width = widths[index] ?? 0;
    return (
      <div
        key={column.id}
        role="gridcell"
        className="qd-cell"
        style={{ width }}
        data-tone={column.tone}
        data-align={column.align}
      >
        {row === undefined ? null : column.cell(row, { width: width - CELL_PADDING })}
      </div>
    );
  };
  return (
    <div ref={slot.attach} role="row" className={row === undefined ? 'qd-row qd-loading' : 'qd-row'}>
      <div role="gridcell" aria-label={selectLabel} className="qd-check" style={{ width: CHECK_WIDTH }} data-check="">
        <span className="qd-box" aria-hidden />
      </div>
      {columns.slice(0, frozenCount).map(cell)}
      <div ref={slot.attachStrip} role="none" className="qd-strip">
        {columns.slice(frozenCount).map((column, index) => cell(column, index + frozenCount))}
      </div>
    </div>
  );
}) as <Row>(props: TableRowProps<Row>) => React.JSX.Element;
