import { CELL_PADDING, type Column, layoutColumns } from '#src/table/columns.ts';
import { currentMeasure } from '#src/ui/text-width.ts';

import { columns } from './columns.ts';
import type { BenchDevice } from './devices.ts';

// The code that the reference tables share: our table's columns with their widths, and its frozen cells.

export const ROW = 28;
export const OVERSCAN = 7;
const CHECK_WIDTH = 34;

export interface ReferenceColumn {
  readonly column: Column<BenchDevice>;
  readonly width: number;
  /** The width available for content, in px. */
  readonly contentWidth: number;
}

interface ReferenceLayout {
  readonly frozen: readonly ReferenceColumn[];
  readonly scrolling: readonly ReferenceColumn[];
  /** The width of a whole row in px. */
  readonly width: number;
}

export function referenceLayout(availableWidth: number): ReferenceLayout {
  const { widths, totalWidth } = layoutColumns(columns, availableWidth - CHECK_WIDTH, currentMeasure());
  const cells = columns.map((column, index) => {
    const width = widths[index] ?? 0;
    return { column, width, contentWidth: width - CELL_PADDING };
  });
  return {
    frozen: cells.filter(({ column }) => column.frozen),
    scrolling: cells.filter(({ column }) => !column.frozen),
    width: totalWidth + CHECK_WIDTH,
  };
}

/**
 * Freezes the leading cells: the pane with all rows is one sticky box, and the scrolling cells move inside it. Does
 * nothing when scrolling vertically.
 */
export function createStripMover(scroller: HTMLElement, strips: () => Iterable<HTMLElement>) {
  let left = 0;
  return () => {
    if (scroller.scrollLeft === left) return;
    left = scroller.scrollLeft;
    for (const strip of strips()) strip.style.transform = `translateX(${-left}px)`;
  };
}
