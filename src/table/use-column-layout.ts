import { useMemo, useSyncExternalStore } from 'react';

import { currentMeasure, subscribeFaces } from '#src/ui/text-width.ts';

import { type Column, type ColumnLayout, layoutColumns } from './columns.ts';

/** `layoutColumns`, memoized until columns, room or font faces change. */
export function useColumnLayout<Row>(columns: readonly Column<Row>[], room: number): ColumnLayout {
  const measure = useSyncExternalStore(subscribeFaces, currentMeasure);
  return useMemo(() => layoutColumns(columns, room, measure), [columns, room, measure]);
}
