import { RowSlot } from './row-slot.ts';
import type { RowRange } from './row-source.ts';
import { createScrollScale } from './scroll-scale.ts';
import type { TableModel } from './table-model.ts';

/** Rows kept ready above and below the screen. */
const OVERSCAN = 7;

interface TableElements {
  /** Scrolls; has role grid. */
  readonly scroller: HTMLElement;
  /** As tall as the list; the rows are in it. */
  readonly body: HTMLElement;
  /** Marks the active row. One element, moved over the rows. */
  readonly marker: HTMLElement;
  /** Its height is the height of a row. */
  readonly head: HTMLElement;
}

/** What React draws around the rows; the same object until something of it changes. */
export interface TableStatus {
  readonly total: number | undefined;
  /** Why nothing can be shown at all. */
  readonly error: unknown;
  /** Why some of the visible rows are missing. */
  readonly rowError: unknown;
}

/**
 * The moving part of the table, outside React: it places rows, marks the active one and the selected ones, and asks the
 * source for what is visible. React draws the cells of a row, and only of rows whose content changed.
 */
export class TableView<Row> {
  readonly #model: TableModel<Row>;
  readonly #id: string;
  readonly #scale = createScrollScale();
  readonly #listeners = new Set<() => void>();
  #elements: TableElements | undefined;
  #slots: readonly RowSlot<Row>[] = [];
  #status: TableStatus;
  #rowHeight = 28;
  #viewport = 0;
  #first = 0;
  #base = 0;
  /** Every row has to be placed again, not only those that changed index. */
  #stale = true;

  /** `id` starts the ids of the row elements. */
  constructor(model: TableModel<Row>, id: string) {
    this.#model = model;
    this.#id = id;
    this.#status = { total: model.source.total(), error: undefined, rowError: undefined };
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** The rows to draw: the same array until their number changes. */
  readonly slots = () => this.#slots;
  readonly status = () => this.#status;

  mount(elements: TableElements): () => void {
    this.#elements = elements;
    const { scroller, head } = elements;
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(scroller);
    resized.observe(head);
    const onScroll = () => this.#scrolled();
    scroller.addEventListener('scroll', onScroll, { passive: true });
    const ends = [
      () => resized.disconnect(),
      () => scroller.removeEventListener('scroll', onScroll),
      this.#model.source.subscribe(() => this.#resize()),
      this.#model.selection.subscribe(() => {
        for (const slot of this.#slots) this.#markSelected(slot);
      }),
      this.#model.subscribe(() => this.#markActive()),
      this.#model.attach({
        pageRows: () => Math.max(1, Math.floor(this.#viewport / this.#rowHeight) - 1),
        visible: () => this.#visible(),
        reveal: (index) => this.#reveal(index),
        toTop: () => this.#moveTo(0),
      }),
    ];
    this.#resize();
    return () => {
      for (const end of ends) end();
      this.#elements = undefined;
    };
  }

  #visible(): RowRange {
    const start = Math.floor(this.#scale.offset() / this.#rowHeight);
    const end = Math.ceil((this.#scale.offset() + this.#viewport) / this.#rowHeight);
    return { start, end: Math.min(Math.max(end, start + 1), this.#rows()) };
  }

  /** Rows to draw: while nobody knows how many there are, a screen of skeletons. */
  #rows(): number {
    return this.#model.source.total() ?? Math.max(1, Math.ceil(this.#viewport / this.#rowHeight));
  }

  #resize() {
    if (!this.#elements) return;
    const { scroller, head, body } = this.#elements;
    this.#rowHeight = head.offsetHeight || this.#rowHeight;
    this.#viewport = Math.max(0, scroller.clientHeight - this.#rowHeight);
    const position = this.#scale.resize(this.#rows() * this.#rowHeight, this.#viewport);
    body.style.height = `${this.#scale.height()}px`;
    if (Math.abs(scroller.scrollTop - position) >= 1) scroller.scrollTop = position;
    this.#stale = true;
    const count = Math.min(Math.ceil(this.#viewport / this.#rowHeight) + 1 + 2 * OVERSCAN, this.#rows());
    if (count !== this.#slots.length) {
      this.#slots = Array.from({ length: count }, (_, i) => this.#slots[i] ?? new RowSlot<Row>(this.#attached));
      this.#notify();
    }
    this.#draw();
  }

  #scrolled() {
    const scroller = this.#elements?.scroller;
    if (!scroller) return;
    const position = this.#scale.scrolled(scroller.scrollTop);
    if (position !== undefined) scroller.scrollTop = position;
    this.#draw();
  }

  #moveTo(offset: number) {
    const scroller = this.#elements?.scroller;
    if (!scroller) return;
    scroller.scrollTop = this.#scale.moveTo(offset);
    this.#draw();
  }

  #reveal(index: number) {
    const top = index * this.#rowHeight;
    const bottom = top + this.#rowHeight - this.#viewport;
    const offset = this.#scale.offset();
    if (top < offset) this.#moveTo(top);
    else if (bottom > offset) this.#moveTo(bottom);
  }

  #draw() {
    const visible = this.#visible();
    const count = this.#slots.length;
    const base = this.#scale.base();
    const first = Math.max(0, Math.min(visible.start - OVERSCAN, this.#rows() - count));
    const moved = base !== this.#base;
    if (moved || first !== this.#first || this.#stale) {
      this.#base = base;
      this.#first = first;
      for (let index = first; index < first + count; index++) {
        const slot = this.#slots[index % count];
        if (slot && (moved || this.#stale || slot.index !== index)) this.#place(slot, index);
      }
      this.#stale = false;
      this.#markActive();
    }
    this.#model.source.request(visible);
    this.#updateStatus();
  }

  /** A slot that React has just drawn shows the one index of the drawn range that recycles into it. */
  readonly #attached = (slot: RowSlot<Row>) => {
    const count = this.#slots.length;
    const place = this.#slots.indexOf(slot);
    if (place !== -1) this.#place(slot, this.#first + ((((place - this.#first) % count) + count) % count));
  };

  #place(slot: RowSlot<Row>, index: number) {
    const { element } = slot;
    // React has not drawn it yet, and attaches it when it has.
    if (!element) return;
    const row = this.#model.source.rowAt(index);
    slot.index = index;
    element.style.transform = `translateY(${index * this.#rowHeight - this.#base}px)`;
    element.id = `${this.#id}-${index}`;
    element.setAttribute('aria-rowindex', String(index + 2));
    this.#markSelected(slot, row);
    slot.show(row);
  }

  #markSelected(slot: RowSlot<Row>, row = slot.row()) {
    const { selection, rowId } = this.#model;
    const selected = row === undefined ? selection.state().kind === 'all' : selection.has(rowId(row));
    slot.element?.setAttribute('aria-selected', String(selected));
  }

  #markActive() {
    if (!this.#elements) return;
    const { marker, scroller } = this.#elements;
    const active = this.#model.active();
    const drawn = active !== undefined && active >= this.#first && active < this.#first + this.#slots.length;
    marker.hidden = !drawn;
    if (drawn) {
      marker.style.transform = `translateY(${active * this.#rowHeight - this.#base}px)`;
      scroller.setAttribute('aria-activedescendant', `${this.#id}-${active}`);
    } else scroller.removeAttribute('aria-activedescendant');
  }

  #updateStatus() {
    const { source } = this.#model;
    const { start, end } = this.#visible();
    const total = source.total();
    const error = total === undefined ? source.errorAt(0) : undefined;
    const rowError = error === undefined ? (source.errorAt(start) ?? source.errorAt(end - 1)) : undefined;
    const before = this.#status;
    if (before.total === total && before.error === error && before.rowError === rowError) return;
    this.#status = { total, error, rowError };
    this.#notify();
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}
