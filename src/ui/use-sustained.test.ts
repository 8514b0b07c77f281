import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useSustained } from './use-sustained.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('becomes true only once the condition has lasted long enough', () => {
  const { result, rerender } = renderHook(({ condition }) => useSustained(condition, 400), {
    initialProps: { condition: true },
  });
  const advance = (ms: number): void =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  advance(399);
  rerender({ condition: false });
  advance(1000);
  expect(result.current).toBe(false);
  rerender({ condition: true });
  advance(399);
  expect(result.current).toBe(false);
  advance(1);
  expect(result.current).toBe(true);
  rerender({ condition: false });
  expect(result.current).toBe(false);
  rerender({ condition: true });
  expect(result.current).toBe(false);
});
