import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { Cell } from './Cell.tsx';

afterEach(cleanup);

test('shows a color without its code, which screen readers and a tooltip have', () => {
  render(<Cell kind="color" value="#2e9e5b" />);
  expect(screen.getByText('#2e9e5b').className).toBe('sr-only');
  expect(document.querySelector('[data-tip]')?.getAttribute('data-tip')).toBe('#2e9e5b');
});

test('shows a text that is not a color', () => {
  render(<Cell kind="color" value="greenish" />);
  expect(screen.getByText('greenish').className).not.toContain('sr-only');
});
