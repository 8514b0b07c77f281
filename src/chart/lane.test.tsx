import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { Lane } from './Lane.tsx';

const { draws } = vi.hoisted(() => ({ draws: [] as unknown[] }));
vi.mock('uplot', () => ({
  default: class {
    constructor(options: unknown) {
      draws.push(options);
    }
    destroy(): void {}
  },
}));

afterEach(cleanup);

const shared = {
  lines: [],
  span: { from: 0, to: 1000 },
  width: 400,
  height: 200,
  rightPadding: 20,
  hasTimes: true,
  axis: { language: 'en', format: undefined },
  onTicks: () => undefined,
  gapText: () => '',
  theme: 'light',
};

test('is drawn again only if its scale has other values', () => {
  const { rerender } = render(<Lane {...shared} scale={[0, 1]} />);
  rerender(<Lane {...shared} scale={[0, 1]} />);
  expect(draws).toHaveLength(1);
  rerender(<Lane {...shared} scale={[0, 2]} />);
  expect(draws).toHaveLength(2);
});
