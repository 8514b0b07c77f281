import './table.css';
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import type { Column, SortKey } from './columns.ts';
import { keepNativeScrollOut } from './native-scroll.ts';
import { TableHead } from './TableHead.tsx';
import type { TableModel } from './table-model.ts';
import { TableRow } from './TableRow.tsx';
import { TableView } from './table-view.ts';
import { useColumnLayout } from './use-column-layout.ts';

export interface DataTableTexts {
  /** Accessible name of the table: "Devices". */
  readonly label: string;
  readonly selectAll: string;
  /** Of the boxes in the rows. */
  readonly select: string;
  /** Some visible rows could not be fetched. */
  readonly rowError: (error: unknown) => string;
  readonly retry: string;
  /** The keys that load them again. */
  readonly retryKeys?: string | undefined;
}

interface DataTableProps<Row> {
  /** The list, the active row and the selection. Keys are bound elsewhere and call it. */
  readonly model: TableModel<Row>;
  /** Leading `frozen` columns first. Keep their identity: other columns draw every row again. */
  readonly columns: readonly Column<Row>[];
  readonly sort?: readonly SortKey[];
  /** A title was clicked. */
  readonly onSort?: (column: string) => void;
  /** A row was double-clicked. */
  readonly onOpen?: (row: Row, index: number) => void;
  readonly texts: DataTableTexts;
  /** The rows are of a list that another one is about to replace: they are dimmed. */
  readonly stale?: boolean;
  /** Rows could not be fetched that a shift-click reaches over. */
  readonly onError: (error: unknown) => void;
  /** Instead of rows: the list is empty. */
  readonly empty: ReactNode;
  /** Instead of rows: the list could not be fetched. */
  readonly error: (error: unknown, retry: () => void) => ReactNode;
  /** Lies over the rows, and places itself. */
  readonly over?: ReactNode;
}

const CHECK_WIDTH = 34;

/** A dense table over a list of any length. It draws what is visible and nothing else. */
export function DataTable<Row>({
  model,
  columns,
  sort = [],
  onSort,
  onOpen,
  onError,
  texts,
  stale = false,
  empty,
  error,
  over,
}: DataTableProps<Row>) {
  const id = useId();
  const view = useMemo(() => new TableView(model, id), [model, id]);
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);

  useLayoutEffect(() => {
    if (!scroller.current || !head.current || !body.current || !marker.current) return;
    const element = scroller.current;
    const measured = new ResizeObserver(() => setRoom(element.clientWidth));
    measured.observe(element);
    setRoom(element.clientWidth);
    const unmount = view.mount({
      scroller: element,
      head: head.current,
      body: body.current,
      marker: marker.current,
    });
    return () => {
      measured.disconnect();
      unmount();
    };
  }, [view]);

  const slots = useSyncExternalStore(view.subscribe, view.slots);
  const status = useSyncExternalStore(view.subscribe, view.status);

  const layout = useColumnLayout(columns, room - CHECK_WIDTH);
  const content = layout.content + CHECK_WIDTH;
  const frozen = columns.findIndex((column) => !column.frozen);
  const frozenCount = frozen === -1 ? columns.length : frozen;
  const style = {
    '--columns': [CHECK_WIDTH, ...layout.widths].map((width) => `${width}px`).join(' '),
    '--row-width': content > room ? `${content}px` : '100%',
  } as CSSProperties;

  const rowUnder = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.qd-row') : null;
    return slots.find((slot) => slot.element === row)?.index;
  };
  const onClick = (event: MouseEvent) => {
    const index = rowUnder(event);
    if (index === undefined) return;
    if (event.shiftKey) model.extendTo(index).catch(onError);
    else {
      model.activate(index);
      const onBox = event.target instanceof Element && event.target.closest('[data-check]');
      if (onBox || event.ctrlKey || event.metaKey) model.toggle(index);
    }
  };
  const onDoubleClick = (event: MouseEvent) => {
    const index = rowUnder(event);
    const row = index === undefined ? undefined : model.source.rowAt(index);
    if (index === undefined || row === undefined || !onOpen) return;
    // The browser has marked the word under the pointer.
    document.getSelection()?.removeAllRanges();
    onOpen(row, index);
  };

  const failed = status.error !== undefined;
  return (
    <div className="qd-table">
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={texts.label}
        aria-rowcount={status.total === undefined ? -1 : status.total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-busy={stale || (status.total === undefined && !failed) || undefined}
        className={cx('qd-grid', content > room && 'qd-wide', stale && 'qd-stale')}
        style={style}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        // Shift-click selects rows, not text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onKeyDown={(event) => keepNativeScrollOut(event.nativeEvent)}
      >
        <TableHead
          ref={head}
          columns={columns}
          frozen={frozenCount}
          sort={sort}
          onSort={onSort}
          selection={model.selection}
          total={status.total ?? 0}
          selectAllLabel={texts.selectAll}
        />
        <div ref={body} role="rowgroup" className="qd-body">
          {slots.map((slot, index) => (
            <TableRow
              key={index}
              slot={slot}
              columns={columns}
              widths={layout.widths}
              frozen={frozenCount}
              selectLabel={texts.select}
            />
          ))}
          <div ref={marker} aria-hidden hidden className="qd-marker" />
        </div>
      </div>
      {status.total === 0 && <div className="qd-instead">{empty}</div>}
      {failed && <div className="qd-instead">{error(status.error, model.source.retry)}</div>}
      {status.rowError !== undefined && (
        <div role="alert" className="qd-notice">
          <span className="min-w-0 flex-1">{texts.rowError(status.rowError)}</span>
          <Button keys={texts.retryKeys} onClick={model.source.retry}>
            {texts.retry}
          </Button>
        </div>
      )}
      {over}
    </div>
  );
}
