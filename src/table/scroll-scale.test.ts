import { describe, expect, it } from 'vitest';
import { createScrollScale, TALLEST } from './scroll-scale.ts';

const ROW = 28;
const VIEW = 800;

it('does not scale a list that fits', () => {
  const scale = createScrollScale();
  scale.resize(2_000 * ROW, VIEW);
  expect(scale.height()).toBe(56_000);
  expect(scale.scrolled(1_234)).toBeUndefined();
  expect([scale.offset(), scale.base()]).toEqual([1_234, 0]);
});

describe('a million rows', () => {
  const content = 1_000_000 * ROW;
  const create = () => {
    const scale = createScrollScale();
    scale.resize(content, VIEW);
    return scale;
  };

  it('fit in an element that browsers can lay out', () => {
    expect(create().height()).toBe(TALLEST);
  });

  it('reach the last row at the end of the scrollbar, and the first at its start', () => {
    const scale = create();
    scale.scrolled(TALLEST - VIEW);
    expect(scale.offset()).toBe(content - VIEW);
    scale.scrolled(0);
    expect([scale.offset(), scale.base()]).toEqual([0, 0]);
  });

  it('move by exactly a wheel step, wherever they are', () => {
    const scale = create();
    for (const jump of [TALLEST / 3, TALLEST / 2, TALLEST * 0.9]) {
      scale.scrolled(Math.round(jump));
      const before = scale.offset();
      scale.scrolled(Math.round(jump) + 120);
      expect(scale.offset() - before).toBe(120);
    }
  });

  it('go all the way up by small steps without a jump', () => {
    const scale = create();
    let position = scale.moveTo(250_000);
    let offset = scale.offset();
    while (offset > 0) {
      position -= 500;
      const corrected = scale.scrolled(Math.max(0, position));
      expect(offset - scale.offset()).toBeLessThanOrEqual(500);
      expect(scale.offset()).toBeLessThan(offset);
      position = corrected ?? position;
      offset = scale.offset();
    }
    expect(position).toBeLessThanOrEqual(0);
  });

  it('go all the way down by small steps without a jump', () => {
    const scale = create();
    let position = scale.moveTo(content - 250_000);
    while (scale.offset() < content - VIEW) {
      const before = scale.offset();
      position = Math.min(position + 500, TALLEST - VIEW);
      position = scale.scrolled(position) ?? position;
      expect(scale.offset()).toBeGreaterThan(before);
    }
    expect(position).toBe(TALLEST - VIEW);
  });

  it('keep their place when the window grows', () => {
    const scale = create();
    scale.moveTo(14_000_000);
    scale.resize(content, VIEW + 300);
    expect(scale.offset()).toBe(14_000_000);
  });
});
