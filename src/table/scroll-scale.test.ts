import { describe, expect, test } from 'vitest';

import { createScrollScale, MAX_HEIGHT } from './scroll-scale.ts';

const ROW = 28;
const VIEW = 800;

test('does not scale a list that fits', () => {
  const scale = createScrollScale();
  scale.resize(2000 * ROW, VIEW);
  expect(scale.height()).toBe(56_000);
  expect(scale.handleScroll(1234)).toBeUndefined();
  expect([scale.offset(), scale.base()]).toEqual([1234, 0]);
});

describe('a million rows', () => {
  const content = 1_000_000 * ROW;
  const create = () => {
    const scale = createScrollScale();
    scale.resize(content, VIEW);
    return scale;
  };

  test("fit within the browser's maximum element height", () => {
    expect(create().height()).toBe(MAX_HEIGHT);
  });

  test('reach the first and last row at the ends of the scrollbar', () => {
    const scale = create();
    scale.handleScroll(MAX_HEIGHT - VIEW);
    expect(scale.offset()).toBe(content - VIEW);
    scale.handleScroll(0);
    expect([scale.offset(), scale.base()]).toEqual([0, 0]);
  });

  test('scroll by exactly one wheel step anywhere', () => {
    const scale = create();
    for (const jump of [MAX_HEIGHT / 3, MAX_HEIGHT / 2, MAX_HEIGHT * 0.9]) {
      scale.handleScroll(Math.round(jump));
      const before = scale.offset();
      scale.handleScroll(Math.round(jump) + 120);
      expect(scale.offset() - before).toBe(120);
    }
  });

  test('scroll to the top in small steps without a jump', () => {
    const scale = create();
    let position = scale.moveTo(250_000);
    let offset = scale.offset();
    while (offset > 0) {
      position -= 500;
      const correctedPosition = scale.handleScroll(Math.max(0, position));
      expect(offset - scale.offset()).toBeLessThanOrEqual(500);
      expect(scale.offset()).toBeLessThan(offset);
      position = correctedPosition ?? position;
      offset = scale.offset();
    }
    expect(position).toBeLessThanOrEqual(0);
  });

  test('scroll to the bottom in small steps without a jump', () => {
    const scale = create();
    let position = scale.moveTo(content - 250_000);
    while (scale.offset() < content - VIEW) {
      const before = scale.offset();
      position = Math.min(position + 500, MAX_HEIGHT - VIEW);
      position = scale.handleScroll(position) ?? position;
      expect(scale.offset()).toBeGreaterThan(before);
    }
    expect(position).toBe(MAX_HEIGHT - VIEW);
  });

  test('keep their position when the window grows', () => {
    const scale = create();
    scale.moveTo(14_000_000);
    scale.resize(content, VIEW + 300);
    expect(scale.offset()).toBe(14_000_000);
  });
});
