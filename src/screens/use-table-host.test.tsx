import { act, renderHook } from '@testing-library/react';
import { Provider } from 'jotai';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';

import { parseFilter } from '#commands/query/parse.ts';
import { gadget, gadgets } from '#commands/testkit/gadget.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { focusAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { createTableModel } from '#src/table/table-model.ts';
import { createArraySource } from '#src/table/testkit/array-source.ts';

import { useTableHost } from './use-table-host.ts';

const wrapper = ({ children }: { readonly children: ReactNode }) => <Provider store={store}>{children}</Provider>;

test('publishes rows and the selection as the target unless the list is stale', () => {
  showGadgets();
  const model = createTableModel<unknown>({
    source: createArraySource<unknown>(gadgets),
    rowId: (row) => gadgets.find((item) => item === row)?.id ?? '',
  });
  const filter = parseFilter('', gadget);
  const { rerender } = renderHook(
    (stale: boolean) =>
      useTableHost({
        model,
        filter,
        isStale: stale,
        setFilter: vi.fn<() => void>(),
        shownIds: '',
        showColumns: vi.fn<() => void>(),
        filterLine: { current: null },
        isFull: false,
        cellEditing: { editCell: async () => undefined, editedColumn: () => undefined },
      }),
    { wrapper, initialProps: false },
  );
  expect(store.get(focusAtom)?.active).toBe('AAAA BBBB');
  rerender(true);
  act(() => model.selection.selectAll());
  expect(store.get(focusAtom)).toEqual({ entity: 'gadget' });
  rerender(false);
  expect(store.get(focusAtom)).toMatchObject({ entity: 'gadget', count: 3 });
});
