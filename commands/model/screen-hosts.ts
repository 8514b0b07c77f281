import type { Message } from '#commands/text/message.ts';

import type { KindValues } from './arg-value.ts';
import type { Args } from './invocation.ts';
import type { Target } from './target.ts';

/** The table of the current screen. The host keeps the active row in view. */
export interface TableHost {
  /** Moves the active row by a number of rows. With `extend`, also selects the rows in between. */
  move(rows: number, extend?: boolean): void;
  /** Moves the active row by one page. */
  page(direction: 1 | -1): void;
  /** Moves the active row to the first or last row. */
  moveToEdge(edge: 'first' | 'last'): void;
  /** Selects the active row, or deselects it. */
  toggleActiveRow(): void;
  selectAll(): void;
  clearSelection(): void;
  /** Replaces the selection. */
  select(target: Target): void;
  /** Focuses the filter line. */
  editFilter(): void;
  setFilter(text: string): void;
  filterText(): string;
  /** Returns the ids of the visible columns. */
  columns(): readonly string[];
  /** Shows or hides columns, by id. */
  showColumns(change: Readonly<Record<string, boolean>>): void;
  /** The name of the listed entity. */
  entityName(): string;
  /** The id of the active row, even while the panel shows another item. */
  activeRowId(): string | undefined;
  /** Keeps the active row active wherever a change moves it. */
  pinActiveRow(): void;
  /** Opens the editor of a cell of the active row. */
  editCell(column: string): Promise<void>;
  /** The column whose cell was edited last. */
  editedColumn(): string | undefined;
}

/**
 * The timeline of the current screen: rows of bars, and a bar whose start is being moved. A screen has a table or a
 * timeline, never both.
 */
export interface TimelineHost {
  moveRow(offset: 1 | -1): void;
  moveToEdge(edge: 'first' | 'last'): void;
  /** Moves to the next or previous bar of the active row. */
  moveBar(offset: 1 | -1): void;
  /** Moves the start of the active bar. This only plans the move, and repeated calls add up. */
  moveStart(days: 1 | -1): void;
  /** Zooms in or out, around the active bar. */
  zoom(direction: 1 | -1): void;
  /** Shows all assignments again. */
  resetZoom(): void;
  /** True while the start of a bar is being moved. */
  readonly isMoving: boolean;
  /** The reason why the planned move can't run. */
  readonly problem: Message | undefined;
  /** Lets the planned move end or delete the bars that it conflicts with; undefined without such a conflict. */
  readonly solve: (() => void) | undefined;
  /** Runs the planned move or, if there is none, opens the item of the active row. */
  confirm(): void;
  /** Discards the planned move. Returns false if there is none. */
  discard(): boolean;
}

export interface PanelHost {
  /**
   * Opens an item. An item of the table's entity replaces the open item. Any other item opens on top of it.
   * `filterValues` sets the tab's filters.
   */
  open(entity: string, id: string, tab?: string, filterValues?: Args): void;
  /** Opens an item on top of the item that lists it. `back` returns to the lower item. */
  openOver(entity: string, id: string): void;
  /** Keeps showing an item that now has another id. */
  rename(entity: string, id: string, newId: string): void;
  /** Closes the topmost layer: an open row of a list, a form, or an item. Returns false if nothing was open. */
  back(): boolean;
  close(): void;
  /** Shows the topmost item full screen, or next to the screen's content again. */
  setFullScreen(value: boolean): void;
  isFullScreen(): boolean;
  /** True if an item is open, even below a form. */
  isItemOpen(): boolean;
  /** True if the item is on top, with no form above it. */
  shows(entity: string, id: string): boolean;
  /** Opens an item's values as a chart, next to the panel. `range` is written as in a command line. */
  openChart(entity: string, id: string, fields: readonly string[], range?: string): void;
  /** Shows the next or previous tab of the topmost item, and focuses its list. */
  tab(direction: 1 | -1): void;
  /** Returns the tabs of the topmost item, in order. There are none if a form is on top or nothing is open. */
  tabs(): readonly { readonly id: string; readonly title: Message }[];
  showTab(id: string): void;
  /**
   * Shows the next or previous item of the table.
   *
   * @throws CommandError if the table does not list the current item
   */
  step(direction: 1 | -1): Promise<void>;
  isOpen(): boolean;
}

/** The chart of an item's values. */
export interface ChartHost {
  /** Moves the crosshair by a number of values. */
  step(values: number): void;
  /** Zooms in or out, around the crosshair. */
  zoom(direction: 1 | -1): void;
  /** Shows the whole range again. */
  reset(): void;
  /** Marks the time of the crosshair, which values are then compared with. Removes a mark that is already there. */
  mark(): void;
  setRange(range: KindValues['range']): void;
  /** Shows the values as a table, or as a chart again. */
  toggleTable(): void;
  /** Returns the visible values as text for a spreadsheet. */
  copyText(): Promise<string>;
  /** Downloads all values of the visible range as CSV. Returns their number. */
  download(signal: AbortSignal): Promise<number>;
}

/** The parser bench of the current screen. */
export interface BenchHost {
  save(): void;
  /** Shows what saving would change. */
  plan(): void;
  /** Focuses the next or previous pane. */
  focusPane(direction: 1 | -1): void;
  /** Moves the caret to the first problem of the definition or the fields. */
  goToProblem(): void;
  /** Moves to the next or previous stored message with a different result. */
  goToDifference(direction: 1 | -1): void;
  /** Lists only the stored messages with the next result, or all after the last result. */
  showNextVerdict(): void;
  /** Loads the active stored message into the bench. */
  loadMessage(): void;
  /** Moves the current field of a simple parser up or down. */
  moveField(direction: 1 | -1): void;
  duplicateField(): void;
  removeField(): void;
}
