import { createRoot } from 'react-dom/client';

import { DataTable } from '#src/table/DataTable.tsx';
import type { RowSource } from '#src/table/row-source.ts';
import { createTableModel } from '#src/table/table-model.ts';

import { columns } from './columns.ts';
import { type BenchDevice, createRows } from './devices.ts';

const texts = {
  label: 'Devices',
  selectAll: 'Select all',
  select: 'Selected',
  rowError: String,
  retry: 'Retry',
};

/** Starts the console's own table, over rows that are available immediately. */
export function startTable(root: HTMLElement, total: number) {
  const rowAt = createRows(total);
  const source: RowSource<BenchDevice> = {
    total: () => total,
    version: () => 0,
    isShown: () => true,
    rowAt,
    errorAt: () => undefined,
    request: () => {},
    load: async ({ start, end }) =>
      Array.from({ length: end - start }, (_, i) => rowAt(start + i)).filter((row) => row !== undefined),
    retry: () => {},
    subscribe: () => () => {},
  };
  const model = createTableModel({ source, rowId: (device) => device.id });
  let allSelected = false;
  window.addEventListener('keydown', (event) => {
    if (event.key === 'j' || event.key === 'ArrowDown') model.move(1);
    if (event.key === 'k') model.move(-1);
    if (event.key === 'x') model.toggle();
    if (event.key === 'PageDown') model.page(1);
    if (event.key === 'G') model.end();
    if (event.key === 'a') {
      allSelected = !allSelected;
      if (allSelected) model.selectAll();
      else model.clearSelection();
    }
  });
  createRoot(root).render(
    <DataTable
      model={model}
      columns={columns}
      sort={[{ column: 'inactivity', descending: true }]}
      onSort={() => {}}
      onError={(error) => {
        throw error;
      }}
      labels={texts}
      empty="No devices"
      error={String}
    />,
  );
}
