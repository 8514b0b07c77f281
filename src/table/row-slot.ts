import type { CellSize, Column, DrawnCell } from './columns.ts';
import { drawText } from './drawn-cells.ts';

/**
 * One of the table's visible rows. Slots are recycled by `index % slots`. A row that scrolls in reuses the slot of a
 * row that scrolled out, and draws its cells again without React.
 */
export class RowSlot<Row> {
  index = -1;
  element: HTMLElement | null = null;
  /** Contains the cells that scroll horizontally. */
  strip: HTMLElement | null = null;
  #checkbox: HTMLElement | null = null;
  readonly #onAttach: (slot: RowSlot<Row>) => void;
  readonly #cells = new Set<DrawnCell<Row>>();
  #row: Row | undefined;
  #selected: boolean | undefined;
  #loading: boolean | undefined;

  /** `onAttach` is called after React renders the slot and before the browser paints it, to position the slot. */
  constructor(onAttach: (slot: RowSlot<Row>) => void) {
    this.#onAttach = onAttach;
  }

  /** React's ref. */
  readonly attach = (element: HTMLElement | null) => {
    this.element = element;
    this.strip = element?.querySelector<HTMLElement>('.qd-strip') ?? null;
    this.#checkbox = element?.querySelector<HTMLElement>('.qd-box') ?? null;
    this.#selected = undefined;
    this.#loading = undefined;
    if (!element) return;
    this.#markLoading();
    this.#onAttach(this);
  };
  /** Draws the content of a cell into `element`. Returns a function that removes it. */
  readonly attachCell = (element: HTMLElement, column: Column<Row>, size: CellSize): (() => void) => {
    const cell = 'text' in column ? drawText(column.text)(element, size) : column.draw(element, size);
    cell.show(this.#row);
    this.#cells.add(cell);
    return () => {
      this.#cells.delete(cell);
      cell.remove?.();
      element.replaceChildren();
    };
  };
  /** The row, or undefined while loading. */
  readonly row = () => this.#row;

  /** Sets the attributes only if they change, because CSS selectors depend on them. */
  select(isSelected: boolean) {
    if (!this.element || isSelected === this.#selected) return;
    this.#selected = isSelected;
    this.element.setAttribute('aria-selected', String(isSelected));
    this.#checkbox?.setAttribute('aria-checked', String(isSelected));
  }

  show(row: Row | undefined) {
    if (row === this.#row) return;
    this.#row = row;
    this.#markLoading();
    for (const cell of this.#cells) cell.show(row);
  }

  #markLoading() {
    const isLoading = this.#row === undefined;
    if (isLoading !== this.#loading) this.element?.classList.toggle('qd-loading', isLoading);
    this.#loading = isLoading;
  }
}
