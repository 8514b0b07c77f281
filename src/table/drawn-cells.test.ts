import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { DrawCell } from './columns.ts';
import { drawAge, drawHealth, drawTags, drawText, drawValue } from './drawn-cells.ts';

afterEach(() => {
  vi.useRealTimers();
});

function draw<Row>(drawCell: DrawCell<Row>, width = 200) {
  const element = document.createElement('div');
  return { element, ...drawCell(element, { width }) };
}

test('shows the text of the row, and nothing while loading', () => {
  const { element, show } = draw<string>(drawText((row) => row));
  show('<b>Heron</b>');
  expect(element.textContent).toBe('<b>Heron</b>');
  show(undefined);
  expect(element.textContent).toBe('');
});

describe('a health mark', () => {
  test('has a shape, a color, and a name for each level', () => {
    const { element, show } = draw<'ERROR' | 'OK'>(drawHealth((level) => ({ level, label: `level ${level}` })));
    const looks = (['ERROR', 'OK', 'ERROR'] as const).map((level) => {
      show(level);
      const [icon] = element.children;
      expect([icon?.getAttribute('role'), icon?.getAttribute('aria-label')]).toEqual(['img', `level ${level}`]);
      return `${icon?.getAttribute('class')} ${icon?.querySelector('path')?.getAttribute('d')}`;
    });
    expect(looks[0]).toBe(looks[2]);
    expect(looks[0]).not.toBe(looks[1]);
  });

  test("disappears if there's no level, and returns with its name", () => {
    const { element, show } = draw<string>(drawHealth((label) => (label === '' ? undefined : { level: 'OK', label })));
    show('');
    expect(element.children).toHaveLength(0);
    show('Fine');
    show('');
    expect(element.children).toHaveLength(0);
    show('Good');
    expect(element.firstElementChild?.getAttribute('aria-label')).toBe('Good');
    show(undefined);
    expect(element.children).toHaveLength(0);
  });
});

describe('an age', () => {
  const START = Date.parse('2026-01-31T12:00:00Z');
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });

  test('grows, shows the exact time in its tooltip, and is replaced by text', () => {
    const { element, show, remove } = draw<number>(
      drawAge((minutes) => (minutes === 0 ? 'never' : { at: START - minutes * 60_000, exact: `${minutes} ago` })),
    );
    show(3);
    const time = element.querySelector('time');
    expect([time?.dateTime, time?.dataset['tip']]).toEqual(['2026-01-31T11:57:00.000Z', '3 ago']);
    const before = element.textContent;
    vi.advanceTimersByTime(60_000);
    expect(element.textContent).not.toBe(before);
    show(0);
    expect([element.textContent, element.children.length]).toEqual(['never', 0]);
    show(4);
    expect(element.querySelector('time')?.dateTime).toBe('2026-01-31T11:56:00.000Z');
    remove?.();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a measured number', () => {
  const START = Date.parse('2026-01-31T12:00:00Z');
  const HOUR = 3_600_000;
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });

  test('becomes quiet and says its age once it is old, until a new one arrives', () => {
    const { element, show, remove } = draw<number>(
      drawValue((at) => ({ text: '4.5', unit: 'bar', at, exact: 'then', oldAfter: HOUR })),
    );
    const look = () => [element.textContent, element.firstElementChild?.classList.contains('text-ink-3')];
    show(START - HOUR);
    expect(look()).toEqual(['4.5 bar', false]);
    vi.advanceTimersByTime(HOUR);
    expect(look()).toEqual(['4.5 bar, 2 h 00 m', true]);
    show(START + HOUR);
    expect(look()).toEqual(['4.5 bar', false]);
    remove?.();
  });
});

describe('tags', () => {
  const chips = (element: Element) => [...element.querySelectorAll('.rounded-chip')].map((chip) => chip.textContent);

  test('show as many as fit, and list the others in a tooltip', () => {
    const { element, show } = draw<readonly string[]>(
      drawTags((names) => names),
      120,
    );
    show(['North field', 'Needs visit', 'Heron 3']);
    expect(chips(element)).toEqual(['North field']);
    expect(element.textContent).toBe('North field+2, Needs visit, Heron 3');
    const counter = element.querySelector('[data-tip]');
    expect(counter?.getAttribute('data-tip')).toBe('Needs visit, Heron 3');
    // Screen readers read the names instead of the number.
    expect(counter?.querySelector('[aria-hidden=true]')?.textContent).toBe('+2');
    show(['A', 'B']);
    expect([chips(element), element.textContent]).toEqual([['A', 'B'], 'AB']);
    show(['North field', 'Needs visit']);
    expect(element.textContent).toBe('North field+1, Needs visit');
    show([]);
    expect(element.children).toHaveLength(0);
    show(['B', 'C']);
    expect(chips(element)).toEqual(['B', 'C']);
  });
});
