import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ValueOwner } from '#commands/model/values.ts';
import { announceChange } from '#src/data/changes.ts';
import { keyOf, queryClient } from '#src/data/query-client.ts';

import { useLiveValues } from './use-values.ts';

const point: ValueOwner = {
  entity: 'process-point',
  id: 'point-1',
  name: 'Casing',
  organization: 'northwind',
  selection: { case: 'processPoints', value: { identifiers: ['point-1'] } },
  devices: ['A381 1C9D', 'D5E7 949D'],
};
const key = [...keyOf('northwind', 'values', 'process-point', 'point-1'), 'latest'];

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.setQueryData(key, []);
});
afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

test.each([
  ['one of its devices', 'device', ['D5E7 949D'], true],
  ['all devices', 'device', undefined, true],
  ['the point', 'process-point', ['point-1'], true],
  ['another device', 'device', ['D5E7 0000'], false],
  ['another point', 'process-point', ['point-2'], false],
])('the values of a point after a change of %s', (_case, entity, ids, isReloaded) => {
  renderHook(() => useLiveValues('northwind', point));
  announceChange('northwind', [entity], ids);
  vi.advanceTimersByTime(1500);
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(isReloaded);
});
