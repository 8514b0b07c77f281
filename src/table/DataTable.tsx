import './table.css';
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import type { KeyHint } from '#src/ui/key-hint.ts';
import { markEdges } from '#src/ui/scroll-edges.ts';

import { CHECK_WIDTH, type Column, type SortKey } from './columns.ts';
import { preventNativeScroll } from './native-scroll.ts';
import type { TableModel } from './table-model.ts';
import { TableView } from './table-view.ts';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { useColumnLayout } from './use-column-layout.ts';

export interface DataTableLabels {
  /** Accessible name of the table, for example "Devices". */
  readonly label: string;
  readonly selectAll: string;
  /** Accessible name of the checkboxes in rows. */
  readonly select: string;
  /** Shown if some visible rows failed to load. */
  readonly rowError: (error: unknown) => string;
  readonly retry: string;
  /** The keys of the retry command. */
  readonly retryKeys?: KeyHint | undefined;
}

interface DataTableProps<Row> {
  /** The list, the active row, and the selection. Key bindings elsewhere act on it. */
  readonly model: TableModel<Row>;
  /** `frozen` columns come first. Keep the array stable between renders because a new one rerenders every row. */
  readonly columns: readonly Column<Row>[];
  readonly sort?: readonly SortKey[];
  /** Called when a column heading is clicked. */
  readonly onSort?: (column: string) => void;
  /** Called when a row is double-clicked. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** Called on a right-click, after the row becomes active, and on the menu key. */
  readonly onMenu?: () => void;
  readonly labels: DataTableLabels;
  /** True while another list is about to replace the rows, which are dimmed meanwhile. */
  readonly stale?: boolean;
  /** Called if rows within a Shift-click range could not be loaded. */
  readonly onError: (error: unknown) => void;
  /** Replaces the rows of an empty list. */
  readonly empty: ReactNode;
  /** Replaces the rows if the list failed to load. */
  readonly error: (error: unknown, retry: () => void) => ReactNode;
  /** An overlay on the rows, which positions itself. */
  readonly overlay?: ReactNode;
}

/** The mouse button that opens a context menu. On a Mac, Ctrl-click opens it too. */
const RIGHT_BUTTON = 2;

/** A dense table for a list of any length. Renders only the visible rows. */
export function DataTable<Row>({
  model,
  columns,
  sort = [],
  onSort,
  onOpen,
  onMenu,
  onError,
  labels,
  stale = false,
  empty,
  error,
  overlay,
}: DataTableProps<Row>) {
  const id = useId();
  const view = useMemo(() => new TableView(model, id), [model, id]);
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const headStrip = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLDivElement>(null);
  const [availableWidth, setAvailableWidth] = useState(0);

  useLayoutEffect(() => {
    if (!scroller.current || !head.current || !headStrip.current || !body.current || !marker.current) return;
    const element = scroller.current;
    const observer = new ResizeObserver(() => setAvailableWidth(element.clientWidth));
    observer.observe(element);
    setAvailableWidth(element.clientWidth);
    const unmount = view.mount({
      scroller: element,
      head: head.current,
      headStrip: headStrip.current,
      body: body.current,
      marker: marker.current,
    });
    return () => {
      observer.disconnect();
      unmount();
    };
  }, [view]);

  const slots = useSyncExternalStore(view.subscribe, view.slots);
  const status = useSyncExternalStore(view.subscribe, view.status);

  const layout = useColumnLayout(columns, availableWidth - CHECK_WIDTH);
  const rowWidth = layout.totalWidth + CHECK_WIDTH;
  const firstScrollingIndex = columns.findIndex((column) => !column.frozen);
  const frozenCount = firstScrollingIndex === -1 ? columns.length : firstScrollingIndex;
  const frozenWidth = layout.widths.slice(0, frozenCount).reduce((sum, width) => sum + width, CHECK_WIDTH);
  const isWide = rowWidth > availableWidth;
  const style = {
    '--visible-width': isWide ? `${availableWidth}px` : '100%',
    '--row-width': isWide ? `${rowWidth}px` : '100%',
    '--frozen-width': `${frozenWidth}px`,
  } as CSSProperties;

  const indexUnder = (event: Pick<Event, 'target'>) => {
    // Rows that another list is about to replace are read-only.
    if (!model.source.isShown()) return undefined;
    return view.indexUnder(event.target);
  };
  const onClick = (event: MouseEvent) => {
    const index = indexUnder(event);
    if (index === undefined) return;
    if (event.shiftKey) model.extendTo(index).catch(onError);
    else {
      model.activate(index);
      const isOnBox = event.target instanceof Element && event.target.closest('[data-check]');
      if (isOnBox || event.ctrlKey || event.metaKey) model.toggle(index);
    }
  };
  const onDoubleClick = (event: MouseEvent) => {
    const index = indexUnder(event);
    const row = index === undefined ? undefined : model.source.rowAt(index);
    if (index === undefined || row === undefined || !onOpen) return;
    // Clear the browser's selection of the word under the pointer.
    document.getSelection()?.removeAllRanges();
    onOpen(row, index);
  };

  /** Opens the menu of the row under the pointer or, with the menu key, of the selection or the active row. */
  const openMenu = useEffectEvent((event: globalThis.MouseEvent): void => {
    const index = indexUnder(event);
    const { activeElement } = document;
    const hasFocus = activeElement === scroller.current || activeElement === document.body;
    const hasTarget = model.activeRow() !== undefined || model.selection.count(status.total ?? 0) > 0;
    const isKeyboardMenu = event.button !== RIGHT_BUTTON && !event.ctrlKey && hasFocus && hasTarget;
    if (!onMenu || !model.source.isShown() || (index === undefined && !isKeyboardMenu)) return;
    event.preventDefault();
    if (index !== undefined) model.activate(index);
    onMenu();
  });
  useEffect(() => {
    // Listens on the window, because the menu key can target any element if nothing on the page has focus.
    const listener = (event: globalThis.MouseEvent): void => openMenu(event);
    window.addEventListener('contextmenu', listener);
    return () => window.removeEventListener('contextmenu', listener);
  }, []);

  useLayoutEffect(() => {
    if (scroller.current) markEdges(scroller.current);
  }, [rowWidth, availableWidth]);

  const hasFailed = status.error !== undefined;
  return (
    <div className="qd-table">
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={labels.label}
        aria-rowcount={status.total === undefined ? -1 : status.total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-busy={stale || (status.total === undefined && !hasFailed) || undefined}
        className={cx('qd-grid', isWide && 'qd-wide', stale && 'qd-stale')}
        style={style}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        // Shift-click selects rows, not text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onKeyDown={(event) => preventNativeScroll(event.nativeEvent)}
      >
        <div role="none" className="qd-content">
          <TableHead
            ref={head}
            strip={headStrip}
            columns={columns}
            widths={layout.widths}
            frozenCount={frozenCount}
            sort={sort}
            onSort={onSort}
            selection={model.selection}
            total={status.total ?? 0}
            selectAllLabel={labels.selectAll}
          />
          <div ref={body} role="rowgroup" className="qd-body">
            {slots.map((slot, index) => (
              <TableRow
                key={index}
                slot={slot}
                columns={columns}
                widths={layout.widths}
                frozenCount={frozenCount}
                selectLabel={labels.select}
              />
            ))}
            <div ref={marker} aria-hidden hidden className="qd-marker" />
          </div>
        </div>
      </div>
      {status.total === 0 && <div className="qd-placeholder">{empty}</div>}
      {hasFailed && <div className="qd-placeholder">{error(status.error, model.source.retry)}</div>}
      {status.rowError !== undefined && (
        <div role="alert" className="qd-notice">
          <span className="min-w-0 flex-1">{labels.rowError(status.rowError)}</span>
          <Button keys={labels.retryKeys} onClick={model.source.retry}>
            {labels.retry}
          </Button>
        </div>
      )}
      {overlay}
    </div>
  );
}
