import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';

import '#src/i18n/i18n.ts';

import { Planning } from './Planning.tsx';

afterEach(cleanup);

it('groups the digits of progress counts', async () => {
  render(<Planning progress={{ done: 500, total: 21_822 }} />);
  expect(await screen.findByText('500 of 21,822')).toBeTruthy();
});
