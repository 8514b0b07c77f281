import { memo } from 'react';

import { CELL_PADDING, CHECK_WIDTH, type Column } from './columns.ts';
import type { RowSlot } from './row-slot.ts';

const CHECK_STYLE = { width: CHECK_WIDTH };

interface TableRowProps<Row> {
  readonly slot: RowSlot<Row>;
  readonly columns: readonly Column<Row>[];
  readonly widths: readonly number[];
  readonly frozenCount: number;
  readonly selectLabel: string;
}

/**
 * The elements of one slot. Renders only if the columns change, because the slot draws its content, and TableView sets
 * its position, index, and selection.
 */
export const TableRow = memo(function TableRow<Row>({
  slot,
  columns,
  widths,
  frozenCount,
  selectLabel,
}: TableRowProps<Row>) {
  const cell = (column: Column<Row>, index: number) => (
    <Cell key={column.id} attachCell={slot.attachCell} column={column} width={widths[index] ?? 0} />
  );
  return (
    <div ref={slot.attach} role="row" className="qd-row">
      <div role="gridcell" className="qd-check" style={CHECK_STYLE} data-check="">
        {/* The slot sets aria-checked. */}
        <span role="checkbox" aria-label={selectLabel} aria-checked={false} className="qd-box" />
      </div>
      {columns.slice(0, frozenCount).map(cell)}
      <div role="none" className="qd-strip">
        {columns.slice(frozenCount).map((column, index) => cell(column, index + frozenCount))}
      </div>
    </div>
  );
}) as <Row>(props: TableRowProps<Row>) => React.JSX.Element;

interface CellProps<Row> {
  readonly attachCell: RowSlot<Row>['attachCell'];
  readonly column: Column<Row>;
  readonly width: number;
}

const Cell = memo(function Cell<Row>({ attachCell, column, width }: CellProps<Row>) {
  const cellProps = { role: 'gridcell', className: 'qd-cell', 'data-tone': column.tone, 'data-align': column.align };
  return (
    <div
      ref={(element) => (element ? attachCell(element, column, { width: width - CELL_PADDING }) : undefined)}
      style={{ width }}
      {...cellProps}
    />
  );
}) as <Row>(props: CellProps<Row>) => React.JSX.Element;
