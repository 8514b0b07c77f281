import { useMemo, useSyncExternalStore } from 'react';

import { currentMeasure, subscribeFonts } from '#src/ui/text-width.ts';

import { type Column, type ColumnLayout, layoutColumns } from './columns.ts';

/** Lays out the columns. The layout is memoized until the columns, the width, or the fonts change. */
export function useColumnLayout<Row>(columns: readonly Column<Row>[], availableWidth: number): ColumnLayout {
  const measure = useSyncExternalStore(subscribeFonts, currentMeasure);
  return useMemo(() => layoutColumns(columns, availableWidth, measure), [columns, availableWidth, measure]);
}
