interface TextCell<Row> {
  readonly node: Text;
  readonly text: (row: Row) => string;
}

/**
 * One of the table's visible rows. Slots are recycled by `index % slots`: a row that scrolls in reuses the slot of a
 * row that scrolled out, and only that slot rerenders.
 */
export class RowSlot<Row> {
  index = -1;
  element: HTMLElement | null = null;
  /** Contains the cells that scroll horizontally. */
  strip: HTMLElement | null = null;
  #checkbox: HTMLElement | null = null;
  readonly #onAttach: (slot: RowSlot<Row>) => void;
  readonly #texts = new Set<TextCell<Row>>();
  #row: Row | undefined;
  #selected: boolean | undefined;
  #listener: (() => void) | undefined;

  /** `onAttach` runs when React has rendered the slot, in time to position it before it is painted. */
  constructor(onAttach: (slot: RowSlot<Row>) => void) {
    this.#onAttach = onAttach;
  }

  /** React's ref. */
  readonly attach = (element: HTMLElement | null) => {
    this.element = element;
    this.strip = element?.querySelector<HTMLElement>('.qd-strip') ?? null;
    this.#checkbox = element?.querySelector<HTMLElement>('.qd-box') ?? null;
    this.#selected = undefined;
    if (element) this.#onAttach(this);
  };
  /** Adds the text of the row to `element`, outside React. Returns a function that removes it. */
  readonly attachText = (element: HTMLElement, text: (row: Row) => string): (() => void) => {
    const cell = { node: document.createTextNode(this.#textOf(text)), text };
    element.append(cell.node);
    this.#texts.add(cell);
    return () => {
      this.#texts.delete(cell);
      cell.node.remove();
    };
  };
  readonly subscribe = (listener: () => void) => {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  };
  /** The row to render; undefined renders a skeleton. */
  readonly row = () => this.#row;

  /** Sets the attributes only if they change: style sheets depend on them. */
  select(selected: boolean) {
    if (!this.element || selected === this.#selected) return;
    this.#selected = selected;
    this.element.setAttribute('aria-selected', String(selected));
    this.#checkbox?.setAttribute('aria-checked', String(selected));
  }

  show(row: Row | undefined) {
    if (row === this.#row) return;
    this.#row = row;
    for (const { node, text } of this.#texts) node.data = this.#textOf(text);
    this.#listener?.();
  }

  #textOf(text: (row: Row) => string): string {
    return this.#row === undefined ? '' : text(this.#row);
  }
}
