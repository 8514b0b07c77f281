import { memo, type ReactNode, type Ref, useSyncExternalStore } from 'react';

import { CELL_PADDING, CHECK_WIDTH, type Column, type NodeColumn, type TextColumn } from './columns.ts';
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
    return 'text' in column ? (
      <TextCell key={column.id} slot={slot} column={column} width={width} />
    ) : (
      <NodeCell key={column.id} row={row} column={column} width={width} />
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

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly width: number;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
}

function Cell<Row>({ column, width, ref, children }: CellProps<Row>) {
  return (
    <div
      ref={ref}
      role="gridcell"
      className="qd-cell"
      style={{ width }}
      data-tone={column.tone}
      data-align={column.align}
    >
      {children}
    </div>
  );
}

interface TextCellProps<Row> {
  readonly slot: RowSlot<Row>;
  readonly column: TextColumn<Row>;
  readonly width: number;
}

/** Renders only if the columns change: the slot writes its text. */
const TextCell = memo(function TextCell<Row>({ slot, column, width }: TextCellProps<Row>) {
  return (
    <Cell
      ref={(element) => (element ? slot.attachText(element, column.text) : undefined)}
      column={column}
      width={width}
    />
  );
}) as <Row>(props: TextCellProps<Row>) => React.JSX.Element;

interface NodeCellProps<Row> {
  readonly row: Row | undefined;
  readonly column: NodeColumn<Row>;
  readonly width: number;
}

function NodeCell<Row>({ row, column, width }: NodeCellProps<Row>) {
  return (
    <Cell column={column} width={width}>
      {row === undefined ? null : column.cell(row, { width: width - CELL_PADDING })}
    </Cell>
  );
}
