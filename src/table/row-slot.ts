/**
 * One of the table's rows on the screen. Rows are recycled by `index % slots`, so that a row that scrolls in changes
 * the text of one that scrolled out, and only that row renders.
 */
export class RowSlot<Row> {
  index = -1;
  element: HTMLElement | null = null;
  readonly #attached: (slot: RowSlot<Row>) => void;
  #row: Row | undefined;
  #listener: (() => void) | undefined;

  /** `attached` is called when React has drawn the slot, so that it can be placed before it is painted. */
  constructor(attached: (slot: RowSlot<Row>) => void) {
    this.#attached = attached;
  }

  /** React's ref. */
  readonly attach = (element: HTMLElement | null) => {
    this.element = element;
    if (element) this.#attached(this);
  };
  readonly subscribe = (listener: () => void) => {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  };
  /** The row to draw; undefined draws a skeleton. */
  readonly row = () => this.#row;

  show(row: Row | undefined) {
    if (row === this.#row) return;
    this.#row = row;
    this.#listener?.();
  }
}
