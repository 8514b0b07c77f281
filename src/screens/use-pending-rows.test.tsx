import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { onChange, type Change } from '#src/data/changes.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';

import { usePendingRows } from './use-pending-rows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('reloads only the rows in progress, until none are left', () => {
  showGadgets();
  const entity = { name: 'gadget', id: String, isPending: (row: unknown) => Number(row) < 3 } as unknown as AnyEntity;
  let rows = [1, 5, 2];
  const source = { findRows: (matches: (row: unknown) => boolean) => rows.filter(matches) };
  const changes: Change[] = [];
  const stop = onChange((change) => changes.push(change));
  const { unmount } = renderHook(() => usePendingRows(entity, source));
  vi.advanceTimersByTime(3500);
  rows = [5, 6];
  vi.advanceTimersByTime(6000);
  unmount();
  rows = [1];
  vi.advanceTimersByTime(6000);
  stop();
  expect(changes).toEqual([{ entity: 'gadget', ids: ['1', '2'] }]);
});
