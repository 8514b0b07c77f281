import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { useLasting } from './use-lasting.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('is true of what lasts, and never of what is over sooner', () => {
  const { result, rerender } = renderHook(({ isSo }) => useLasting(isSo, 400), { initialProps: { isSo: true } });
  const later = (ms: number): void =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  later(399);
  rerender({ isSo: false });
  later(1000);
  expect(result.current).toBe(false);
  rerender({ isSo: true });
  later(399);
  expect(result.current).toBe(false);
  later(1);
  expect(result.current).toBe(true);
  rerender({ isSo: false });
  expect(result.current).toBe(false);
  rerender({ isSo: true });
  expect(result.current).toBe(false);
});
