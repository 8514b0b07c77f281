import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { TimeAxis } from './TimeAxis.tsx';

afterEach(cleanup);

test('keeps the last label within the chart', () => {
  const ticks = [0, 380].map((time) => ({ time, text: `at ${time}` }));
  const axis = { language: 'en', format: undefined };
  render(<TimeAxis ticks={ticks} cursor={undefined} axis={axis} xOf={(time) => time} width={400} />);
  // The first is centered, because half of its width is less than the room to its right.
  expect(screen.getByText('at 0').style.transform).toBe('translateX(min(-50%, 396px - 100%))');
  expect(screen.getByText('at 380').style.transform).toBe('translateX(min(-50%, 16px - 100%))');
});
