import { afterEach, expect, test, vi } from 'vitest';

import { currentMeasure, LABEL_FONT } from './text-width.ts';

afterEach(() => vi.restoreAllMocks());

test('gives all digits the same width', () => {
  const advance = (char: string): number => (char === '1' ? 4.5 : 7);
  const measureText = (text: string) => ({ width: [...text].reduce((sum, letter) => sum + advance(letter), 0) });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ measureText } as never);
  const measure = currentMeasure();
  expect(measure('11', LABEL_FONT)).toBe(14);
  expect(measure('Tern 11', LABEL_FONT)).toBe(measure('Tern 20', LABEL_FONT));
});
