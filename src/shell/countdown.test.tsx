import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Countdown, formatRemaining } from './Countdown.tsx';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('formats the remaining time as minutes and seconds, with hours if needed', () => {
  expect([3_600_000, 3_599_000, 60_000, 59_999, 1, 0, -5000].map(formatRemaining)).toEqual([
    '1:00:00',
    '59:59',
    '1:00',
    '1:00',
    '0:01',
    '0:00',
    '0:00',
  ]);
});

test('counts down and reports the end once', () => {
  const onEnd = vi.fn<() => void>();
  render(<Countdown until={3000} label="Ends in" onEnd={onEnd} />);
  expect(screen.getByRole('timer', { name: 'Ends in' }).textContent).toBe('0:03');
  act(() => void vi.advanceTimersByTime(2000));
  expect(screen.getByRole('timer').textContent).toBe('0:01');
  expect(onEnd).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByRole('timer').textContent).toBe('0:00');
  expect(onEnd).toHaveBeenCalledTimes(1);
});
