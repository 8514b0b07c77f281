import { markEdges } from '#src/ui/scroll-edges.ts';

import { createRowMarker } from './row-marker.ts';
import { RowSlot } from './row-slot.ts';
import type { RowRange } from './row-source.ts';
import { createScrollScale } from './scroll-scale.ts';
import type { TableModel } from './table-model.ts';

/** Rows rendered above and below the visible ones. */
const OVERSCAN = 7;
/** Time after the last scroll event until the row under the pointer is highlighted again. */
const SCROLL_END_MS = 100;

interface TableElements {
  /** The scroll container, which has the role `grid`. */
  readonly scroller: HTMLElement;
  /** Contains the rows and is as tall as the list. */
  readonly body: HTMLElement;
  /** Marks the active row. It is a single element that moves over the rows. */
  readonly marker: HTMLElement;
  /** The table head, which is as tall as a row. */
  readonly head: HTMLElement;
  /** Contains the titles that scroll horizontally. */
  readonly headStrip: HTMLElement;
}

/** The state that React renders around the rows. The object stays the same until something changes. */
export interface TableStatus {
  readonly total: number | undefined;
  /** The error if nothing can be shown. */
  readonly error: unknown;
  /** The error if some visible rows are missing. */
  readonly rowError: unknown;
}

/**
 * The dynamic part of the table, outside React. It positions rows, marks the active and selected ones, and requests the
 * visible range from the source. React only renders the elements of the slots, which draw the rows themselves.
 */
export class TableView<Row> {
  readonly #model: TableModel<Row>;
  readonly #id: string;
  readonly #scale = createScrollScale();
  readonly #listeners = new Set<() => void>();
  #elements: TableElements | undefined;
  #moveMarker: ((top: number) => void) | undefined;
  #slots: readonly RowSlot<Row>[] = [];
  #status: TableStatus;
  #rowHeight = 28;
  #viewport = 0;
  #first = 0;
  #base = 0;
  /** The horizontal scroll position in px. */
  #left = 0;
  #hovered: HTMLElement | undefined;
  #pointer: { readonly x: number; readonly y: number } | undefined;
  #scrollEnd: ReturnType<typeof setTimeout> | undefined;
  /** True if all rows must be repositioned, not only those with a new index. */
  #stale = true;

  /** `id` is the prefix of the ids of row elements. */
  constructor(model: TableModel<Row>, id: string) {
    this.#model = model;
    this.#id = id;
    this.#status = { total: model.source.total(), error: undefined, rowError: undefined };
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Returns the slots to render. It is the same array until their number changes. */
  readonly slots = () => this.#slots;
  readonly status = () => this.#status;

  /** The index of the row that contains an event's target. */
  readonly indexUnder = (target: EventTarget | null) => this.#slotUnder(target)?.index;

  mount(elements: TableElements): () => void {
    this.#elements = elements;
    const { scroller, head, marker } = elements;
    this.#moveMarker = createRowMarker(marker);
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(scroller);
    observer.observe(head);
    const listeners = new AbortController();
    const { signal } = listeners;
    scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true, signal });
    scroller.addEventListener('pointermove', (event) => this.#onPointer(event), { passive: true, signal });
    scroller.addEventListener('pointerleave', () => this.#onPointer(undefined), { passive: true, signal });
    const cleanups = [
      () => observer.disconnect(),
      () => listeners.abort(),
      () => clearTimeout(this.#scrollEnd),
      this.#model.source.subscribe(() => this.#resize()),
      this.#model.selection.subscribe(() => {
        for (const slot of this.#slots) this.#markSelected(slot);
      }),
      this.#model.subscribe(() => this.#markActive()),
      this.#model.attach({
        pageRows: () => Math.max(1, Math.floor(this.#viewport / this.#rowHeight) - 1),
        visibleRange: () => this.#visible(),
        reveal: (index) => this.#reveal(index),
        toTop: () => this.#moveTo(0),
      }),
    ];
    this.#resize();
    return () => {
      for (const cleanUp of cleanups) cleanUp();
      this.#elements = undefined;
    };
  }

  #slotUnder(target: EventTarget | null | undefined): RowSlot<Row> | undefined {
    const row = target instanceof Element ? target.closest('.qd-row') : null;
    return row === null ? undefined : this.#slots.find((slot) => slot.element === row);
  }

  #visible(): RowRange {
    const start = Math.floor(this.#scale.offset() / this.#rowHeight);
    const end = Math.ceil((this.#scale.offset() + this.#viewport) / this.#rowHeight);
    return { start, end: Math.min(Math.max(end, start + 1), this.#rowCount()) };
  }

  /** Returns the number of rows to render, which is a screen of skeletons until the total is known. */
  #rowCount(): number {
    return this.#model.source.total() ?? Math.max(1, Math.ceil(this.#viewport / this.#rowHeight));
  }

  #resize() {
    if (!this.#elements) return;
    const { scroller, head, body } = this.#elements;
    const previousViewport = this.#viewport;
    const visibleActive = this.#visibleActive();
    this.#rowHeight = head.offsetHeight || this.#rowHeight;
    this.#viewport = Math.max(0, scroller.clientHeight - this.#rowHeight);
    const position = this.#scale.resize(this.#rowCount() * this.#rowHeight, this.#viewport);
    body.style.height = `${this.#scale.height()}px`;
    if (Math.abs(scroller.scrollTop - position) >= 1) scroller.scrollTop = position;
    this.#stale = true;
    const count = Math.min(Math.ceil(this.#viewport / this.#rowHeight) + 1 + 2 * OVERSCAN, this.#rowCount());
    if (count !== this.#slots.length) {
      this.#slots = Array.from({ length: count }, (_, i) => this.#slots[i] ?? new RowSlot<Row>(this.#onAttach));
      this.#notify();
    }
    this.#draw();
    // The panel of the active row can take some of the height.
    if (visibleActive !== undefined && this.#viewport < previousViewport) this.#reveal(visibleActive);
  }

  /** Returns the active row if the user sees all of it. */
  #visibleActive(): number | undefined {
    const active = this.#model.active();
    if (active === undefined) return undefined;
    const top = active * this.#rowHeight - this.#scale.offset();
    return top >= 0 && top + this.#rowHeight <= this.#viewport ? active : undefined;
  }

  #onScroll() {
    const scroller = this.#elements?.scroller;
    if (!scroller) return;
    const position = this.#scale.handleScroll(scroller.scrollTop);
    if (position !== undefined) scroller.scrollTop = position;
    this.#pauseHover();
    this.#moveStrips(scroller.scrollLeft);
    this.#draw();
  }

  #moveStrips(left: number) {
    if (left === this.#left || !this.#elements) return;
    this.#left = left;
    const value = `${left}px`;
    markEdges(this.#elements.scroller);
    this.#elements.headStrip.style.setProperty('--left', value);
    for (const { strip } of this.#slots) strip?.style.setProperty('--left', value);
  }

  #onPointer(event: PointerEvent | undefined) {
    this.#pointer = event?.pointerType === 'touch' || !event ? undefined : { x: event.clientX, y: event.clientY };
    if (this.#scrollEnd === undefined) this.#hover(this.#pointer && event?.target);
  }

  /** Highlights no row while rows move under the pointer, because each row would be painted twice. */
  #pauseHover() {
    clearTimeout(this.#scrollEnd);
    this.#hover(undefined);
    this.#scrollEnd = setTimeout(() => {
      this.#scrollEnd = undefined;
      this.#hover(this.#pointer && document.elementFromPoint(this.#pointer.x, this.#pointer.y));
    }, SCROLL_END_MS);
  }

  #hover(target: EventTarget | null | undefined) {
    const row = this.#slotUnder(target)?.element ?? undefined;
    if (row === this.#hovered) return;
    this.#hovered?.removeAttribute('data-hovered');
    row?.setAttribute('data-hovered', '');
    this.#hovered = row;
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
    const visibleRange = this.#visible();
    const count = this.#slots.length;
    const base = this.#scale.base();
    const first = Math.max(0, Math.min(visibleRange.start - OVERSCAN, this.#rowCount() - count));
    const hasMoved = base !== this.#base;
    if (hasMoved || first !== this.#first || this.#stale) {
      this.#base = base;
      this.#first = first;
      for (let index = first; index < first + count; index++) {
        const slot = this.#slots[index % count];
        if (slot && (hasMoved || this.#stale || slot.index !== index)) this.#place(slot, index);
      }
      this.#stale = false;
      this.#markActive();
    }
    this.#model.source.request(visibleRange);
    this.#updateStatus();
  }

  /** Positions a newly rendered slot at the index of the rendered range that maps to it. */
  readonly #onAttach = (slot: RowSlot<Row>) => {
    const count = this.#slots.length;
    const position = this.#slots.indexOf(slot);
    slot.strip?.style.setProperty('--left', `${this.#left}px`);
    if (position !== -1) this.#place(slot, this.#first + ((((position - this.#first) % count) + count) % count));
  };

  #place(slot: RowSlot<Row>, index: number) {
    const { element } = slot;
    // It hasn't been rendered yet. React attaches it later.
    if (!element) return;
    const row = this.#model.source.rowAt(index);
    if (element === this.#hovered && slot.index !== index) this.#pauseHover();
    slot.index = index;
    element.style.transform = `translateY(${index * this.#rowHeight - this.#base}px)`;
    element.id = `${this.#id}-${index}`;
    element.setAttribute('aria-rowindex', String(index + 2));
    this.#markSelected(slot, row);
    slot.show(row);
  }

  #markSelected(slot: RowSlot<Row>, row = slot.row()) {
    const { selection, rowId } = this.#model;
    const isSelected = row === undefined ? selection.state().kind === 'all' : selection.has(rowId(row));
    slot.select(isSelected);
  }

  #markActive() {
    if (!this.#elements) return;
    const { marker, scroller } = this.#elements;
    const active = this.#model.active();
    const isRendered = active !== undefined && active >= this.#first && active < this.#first + this.#slots.length;
    marker.hidden = !isRendered;
    if (isRendered) {
      this.#moveMarker?.(active * this.#rowHeight - this.#base);
      scroller.setAttribute('aria-activedescendant', `${this.#id}-${active}`);
    } else scroller.removeAttribute('aria-activedescendant');
  }

  #updateStatus() {
    const { source } = this.#model;
    const { start, end } = this.#visible();
    const total = source.total();
    const error = total === undefined ? source.errorAt(0) : undefined;
    const rowError = error === undefined ? (source.errorAt(start) ?? source.errorAt(end - 1)) : undefined;
    const previous = this.#status;
    if (previous.total === total && previous.error === error && previous.rowError === rowError) return;
    this.#status = { total, error, rowError };
    this.#notify();
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}
