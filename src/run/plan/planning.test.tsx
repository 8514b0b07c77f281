import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import '#src/i18n/i18n.ts';

import { Planning } from './Planning.tsx';

afterEach(cleanup);

test('groups the digits of progress counts', async () => {
  render(<Planning progress={{ done: 500, total: 21_822 }} />);
  expect(await screen.findByText('500 of 21,822')).toBeTruthy();
});

test('shows whether it creates a plan or looks up the items of a visible plan', async () => {
  const { container, rerender } = render(<Planning progress={undefined} />);
  await vi.waitFor(() => expect(container.textContent?.trim()).toBe('Planning…'));
  expect(container.querySelector('span')).toBeNull();
  rerender(<Planning progress={undefined} hasOutline />);
  expect(container.textContent?.trim()).toBe('Looking up each item…');
});
