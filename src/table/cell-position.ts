import { useLayoutEffect, type RefObject } from 'react';

import type { TableModel } from './table-model.ts';

/** The minimum distance from the edges of the table, in px. */
const MARGIN = 4;

/**
 * Places an element over a cell of the active row, with its first field on the text of the cell. Follows the cell, but
 * stays within the table, so the element remains visible. `columnIndex` is the index among the visible columns.
 */
export function useCellPosition<Row>(
  ref: RefObject<HTMLElement | null>,
  model: TableModel<Row>,
  columnIndex: number,
): void {
  useLayoutEffect(() => {
    const element = ref.current;
    const table = element?.closest<HTMLElement>('.qd-table');
    const grid = table?.querySelector<HTMLElement>('.qd-grid');
    if (!element || !table || !grid) return undefined;
    const place = (): void => {
      const cell = findCell(grid, columnIndex);
      if (cell) moveTo(element, table, cell);
    };
    model.reveal();
    const cell = findCell(grid, columnIndex);
    if (cell) revealCell(grid, cell);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    observer.observe(grid);
    const stopFollowing = model.subscribe(place);
    grid.addEventListener('scroll', place, { passive: true });
    return () => {
      observer.disconnect();
      stopFollowing();
      grid.removeEventListener('scroll', place);
    };
  }, [ref, model, columnIndex]);
}

function findCell(grid: HTMLElement, columnIndex: number): HTMLElement | undefined {
  const row = document.querySelector(`#${CSS.escape(grid.getAttribute('aria-activedescendant') ?? '-')}`);
  // The first cell has the checkbox.
  return row?.querySelectorAll<HTMLElement>('[role="gridcell"]')[columnIndex + 1];
}

/** Scrolls horizontally until the cell is clear of the frozen columns and of the edge. */
function revealCell(grid: HTMLElement, cell: HTMLElement): void {
  const strip = cell.closest('.qd-strip');
  if (!strip) return;
  const [cellBox, stripBox] = [cell.getBoundingClientRect(), strip.getBoundingClientRect()];
  const missingOnLeft = Math.max(0, stripBox.left - cellBox.left);
  const missingOnRight = Math.max(0, cellBox.right - stripBox.right);
  grid.scrollLeft += missingOnRight > 0 ? missingOnRight : -missingOnLeft;
}

function moveTo(element: HTMLElement, table: HTMLElement, cell: HTMLElement): void {
  element.style.minWidth = `${Math.round(cell.offsetWidth)}px`;
  const [tableBox, cellBox, elementBox] = [table, cell, element].map((part) => part.getBoundingClientRect()) as [
    DOMRect,
    DOMRect,
    DOMRect,
  ];
  const fieldBox = element.querySelector('input, select, textarea')?.getBoundingClientRect() ?? elementBox;
  const left = cellBox.left - tableBox.left - (fieldBox.left - elementBox.left);
  const rightmost = tableBox.width - elementBox.width - MARGIN;
  const x = Math.max(MARGIN, Math.min(left, rightmost));
  const y = topOf(cellBox.top - tableBox.top, cellBox.height, fieldBox.top - elementBox.top);
  element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;

  /** Puts the field on the cell or, near the top or bottom of the table, the element below or above the row. */
  function topOf(rowTop: number, rowHeight: number, fieldTop: number): number {
    const top = rowTop - fieldTop;
    const lowest = tableBox.height - elementBox.height - MARGIN;
    if (top < MARGIN) return Math.max(MARGIN, Math.min(rowTop + rowHeight, lowest));
    return top <= lowest ? top : Math.max(MARGIN, Math.min(rowTop - elementBox.height, lowest));
  }
}
