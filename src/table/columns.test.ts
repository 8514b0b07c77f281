import { expect, test } from 'vitest';

import { CELL_PADDING, type Column, layoutColumns } from './columns.ts';

const tenPerLetter = (text: string) => text.length * 10;
const column = (id: string, props: Partial<Column<string>>): Column<string> => ({
  id,
  title: '',
  hideTitle: true,
  min: 50,
  text: (row) => row,
  ...props,
});

test('gives spare width to growing columns up to their maximum', () => {
  const columns = [column('a', {}), column('b', { grow: 2, max: 120 }), column('c', { grow: 1 })];
  expect(layoutColumns(columns, 500, tenPerLetter)).toEqual({ widths: [50, 120, 330], totalWidth: 500 });
});

test('gives spare width first to truncated columns, then to growing columns', () => {
  const columns = [column('name', { grow: 2 }), column('brand', { grow: 1, comfortableWidth: 90 })];
  const widthsIn = (availableWidth: number) => layoutColumns(columns, availableWidth, tenPerLetter).widths;
  expect(widthsIn(100)).toEqual([50, 50]);
  expect(widthsIn(120)).toEqual([50, 70]);
  expect(widthsIn(140)).toEqual([50, 90]);
  expect(widthsIn(170)).toEqual([70, 100]);
});

test('shares insufficient width among truncated columns', () => {
  const columns = [column('a', { comfortableWidth: 90 }), column('b', { comfortableWidth: 130 })];
  expect(layoutColumns(columns, 130, tenPerLetter).widths).toEqual([60, 70]);
});

test('gives spare width to columns that truncate typical values', () => {
  const columns = [
    column('name', { grow: 1 }),
    column('expires', { comfortableSamples: ['20 Nov 2026', '1 May 2026'] }),
  ];
  const comfortableWidth = '20 Nov 2026'.length * 10 + CELL_PADDING;
  expect(layoutColumns(columns, 500, tenPerLetter).widths).toEqual([500 - comfortableWidth, comfortableWidth]);
  expect(layoutColumns(columns, 100, tenPerLetter).widths).toEqual([50, 50]);
});

test('never truncates text that must fit', () => {
  const columns = [column('lifecycle', { fits: ['Installed', 'Pending maintenance'] }), column('b', {})];
  const { widths, totalWidth } = layoutColumns(columns, 100, tenPerLetter);
  expect(widths[0]).toBe('Pending maintenance'.length * 10 + CELL_PADDING);
  expect(totalWidth).toBeGreaterThan(100);
});

test('fits a title and its sort arrow', () => {
  const title = 'Last message';
  const [titleWidth] = layoutColumns([column('a', { title, hideTitle: false })], 0, tenPerLetter).widths;
  const [sortable] = layoutColumns([column('a', { title, hideTitle: false, sortable: true })], 0, tenPerLetter).widths;
  expect(titleWidth).toBe(title.length * 10 + CELL_PADDING);
  expect(sortable).toBeGreaterThan(titleWidth ?? 0);
});

test('leaves width unused if no column grows', () => {
  expect(layoutColumns([column('a', {}), column('b', {})], 900, tenPerLetter).totalWidth).toBe(100);
});
