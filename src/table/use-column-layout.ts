import { useMemo, useSyncExternalStore } from 'react';

import { currentMeasure, subscribeFonts } from '#src/ui/text-width.ts';

import { type Column, type ColumnLayout, layoutColumns } from './columns.ts';

/** Lays out the columns; memoized until columns, room or fonts change. */
export function useColumnLayout<Row>(columns: readonly Column<Row>[], room: number): ColumnLayout {
  const measure = useSyncExternalStore(subscribeFonts, currentMeasure);
  return useMemo(() => layoutColumns(columns, room, measure), [columns, room, measure]);
}
