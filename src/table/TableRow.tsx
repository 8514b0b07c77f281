import { memo, type ReactNode, type Ref, useMemo, useSyncExternalStore } from 'react';

import { CELL_PADDING, CHECK_WIDTH, type Column, type NodeColumn, type TextColumn } from './columns.ts';
import type { RowSlot } from './row-slot.ts';

interface CellStyle {
  readonly width: number;
}

const NO_WIDTH: CellStyle = { width: 0 };
const CHECK_STYLE: CellStyle = { width: CHECK_WIDTH };

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
  const { attach, attachText, subscribe, row: readRow } = slot;
  const row = useSyncExternalStore(subscribe, readRow);
  // Shared by every row shown in the slot, so React has no styles to compare.
  const styles = useMemo(() => widths.map((width) => ({ width })), [widths]);
  const cell = (column: Column<Row>, index: number) => {
    const style = styles[index] ?? NO_WIDTH;
    return 'text' in column ? (
      <TextCell key={column.id} attachText={attachText} column={column} style={style} />
    ) : (
      <NodeCell key={column.id} row={row} column={column} style={style} />
    );
  };
  return (
    <div ref={attach} role="row" className={row === undefined ? 'qd-row qd-loading' : 'qd-row'}>
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
  readonly column: Column<Row>;
  readonly style: CellStyle;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
}

function Cell<Row>({ column, style, ref, children }: CellProps<Row>) {
  return (
    <div ref={ref} role="gridcell" className="qd-cell" style={style} data-tone={column.tone} data-align={column.align}>
      {children}
    </div>
  );
}

interface TextCellProps<Row> {
  readonly attachText: RowSlot<Row>['attachText'];
  readonly column: TextColumn<Row>;
  readonly style: CellStyle;
}

/** Renders only if the columns change: the slot writes its text. */
const TextCell = memo(function TextCell<Row>({ attachText, column, style }: TextCellProps<Row>) {
  return (
    <Cell ref={(element) => (element ? attachText(element, column.text) : undefined)} column={column} style={style} />
  );
}) as <Row>(props: TextCellProps<Row>) => React.JSX.Element;

interface NodeCellProps<Row> {
  readonly row: Row | undefined;
  readonly column: NodeColumn<Row>;
  readonly style: CellStyle;
}

function NodeCell<Row>({ row, column, style }: NodeCellProps<Row>) {
  return (
    <Cell column={column} style={style}>
      {row === undefined ? null : column.cell(row, { width: style.width - CELL_PADDING })}
    </Cell>
  );
}
