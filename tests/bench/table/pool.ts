import type { TextColumn } from '#src/table/columns.ts';
import { fitChips } from '#src/ui/fit-chips.ts';

import { createRows, type BenchDevice } from './devices.ts';
import { createStripMover, OVERSCAN, referenceLayout, type ReferenceColumn, ROW } from './reference.ts';

const SHAPES = {
  ERROR: { path: 'M4.5 0 9 4.5 4.5 9 0 4.5Z', color: 'var(--health-error)' },
  WARNING: { path: 'M4.5 .5 9 8.5H0Z', color: 'var(--health-warning)' },
  OK: { path: 'M4.5 .75a3.75 3.75 0 1 1 0 7.5 3.75 3.75 0 0 1 0-7.5Z', color: 'var(--health-ok)' },
};
const MAX_CHIPS = 3;

function createElement(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

interface PoolCell {
  readonly element: HTMLElement;
  readonly show: (row: BenchDevice) => void;
}

function createHealthIcon(): PoolCell {
  const element = createElement('span', '');
  element.innerHTML = '<svg viewBox="0 0 9 9" width="9" height="9"><path fill="currentColor"/></svg>';
  const svg = element.querySelector('svg');
  const path = element.querySelector('path');
  let current: string | undefined;
  return {
    element,
    show({ health }) {
      if (health === current) return;
      current = health;
      path?.setAttribute('d', SHAPES[health].path);
      if (svg) svg.style.color = SHAPES[health].color;
    },
  };
}

function createChips(width: number): PoolCell {
  const textNodes = Array.from({ length: MAX_CHIPS + 1 }, () => document.createTextNode(''));
  const elements = textNodes.map((text, index) =>
    createElement('span', index === MAX_CHIPS ? 'pool-more' : 'pool-chip', text),
  );
  const names = Array.from(textNodes, () => '');
  return {
    element: createElement('span', '', createElement('span', 'pool-chips', ...elements)),
    show({ tags }) {
      const fittingCount = fitChips(tags, width);
      const hidden = tags.length - fittingCount;
      for (const [index, text] of textNodes.entries()) {
        const name =
          index === MAX_CHIPS ? (hidden > 0 ? `+${hidden}` : '') : index < fittingCount ? (tags[index] ?? '') : '';
        if (names[index] === name) continue;
        names[index] = name;
        text.data = name;
        elements[index]?.toggleAttribute('hidden', name === '');
      }
    },
  };
}

function createFraction(): PoolCell {
  const text = document.createTextNode('');
  const totalLabel = createElement('span', 'text-ink-3', ' / 24');
  return {
    element: createElement('span', '', text, totalLabel),
    show(row) {
      text.data = String(row.received);
    },
  };
}

function createText({ text }: TextColumn<BenchDevice>): PoolCell {
  const node = document.createTextNode('');
  return {
    element: createElement('span', '', node),
    show(row) {
      node.data = text(row);
    },
  };
}

function createCell({ column, width, contentWidth }: ReferenceColumn): PoolCell {
  const cell =
    'text' in column
      ? createText(column)
      : column.id === 'health'
        ? createHealthIcon()
        : column.id === 'tags'
          ? createChips(contentWidth)
          : createFraction();
  cell.element.style.width = `${width}px`;
  if (column.tone) cell.element.dataset['tone'] = column.tone;
  if (column.align) cell.element.dataset['align'] = column.align;
  return cell;
}

/**
 * Starts the fastest reference: a table of recycled DOM rows that looks like ours, but has no React, data source, or
 * accessibility.
 */
export function startPool(root: HTMLElement, total: number) {
  const rowAt = createRows(total);
  const scroller = createElement('div', 'pool');
  scroller.tabIndex = 0;
  root.append(scroller);
  const visibleWidth = scroller.clientWidth;
  const layout = referenceLayout(visibleWidth);

  const createRow = (frozen: readonly Node[], scrolling: readonly Node[], check: Node | string) => {
    const strip = createElement('span', 'pool-strip', ...scrolling);
    const window = createElement('div', 'pool-window', strip);
    return {
      strip,
      element: createElement('div', 'pool-row', createElement('span', 'pool-check', check), ...frozen, window),
    };
  };
  const createTitle = ({ column, width }: ReferenceColumn) => {
    const title = createElement('span', '', createElement('span', column.hideTitle ? 'sr-only' : '', column.title));
    title.style.width = `${width}px`;
    if (column.align) title.dataset['align'] = column.align;
    return title;
  };
  const createSlot = () => {
    const frozen = layout.frozen.map(createCell);
    const scrolling = layout.scrolling.map(createCell);
    const elements = (cells: readonly PoolCell[]) => cells.map(({ element }) => element);
    const row = createRow(elements(frozen), elements(scrolling), createElement('b', 'pool-box'));
    return { index: -1, ...row, cells: [...frozen, ...scrolling] };
  };

  const head = createRow(
    layout.frozen.map(createTitle),
    layout.scrolling.map(createTitle),
    createElement('b', 'pool-box'),
  );
  head.element.classList.add('pool-head');
  const marker = createElement('div', 'pool-marker');
  const visibleRows = Math.ceil((scroller.clientHeight - ROW) / ROW);
  const count = visibleRows + 1 + 2 * OVERSCAN;
  const slots = Array.from({ length: count }, createSlot);
  const pane = createElement('div', 'pool-pane', ...slots.map((slot) => slot.element), marker);
  const body = createElement('div', '', pane);
  const height = `${Math.min(total * ROW, 15_000_000)}px`;
  body.style.width = `${layout.width}px`;
  pane.style.height = height;
  for (const element of [head.element, pane]) element.style.width = `${visibleWidth}px`;
  scroller.append(head.element, body);
  let allSelected = false;
  let active = 0;

  const moveStrips = createStripMover(scroller, () => [head.strip, ...slots.map(({ strip }) => strip)]);
  const draw = () => {
    const first = Math.max(0, Math.min(Math.floor(scroller.scrollTop / ROW) - OVERSCAN, total - count));
    for (let index = first; index < first + count; index++) {
      const slot = slots[index % count];
      const row = rowAt(index);
      if (!slot || !row || slot.index === index) continue;
      slot.index = index;
      slot.element.style.transform = `translateY(${index * ROW}px)`;
      for (const cell of slot.cells) cell.show(row);
    }
  };
  const move = (to: number) => {
    active = Math.min(total - 1, Math.max(0, to));
    const top = active * ROW;
    const { scrollTop } = scroller;
    const minTop = top + 2 * ROW - scroller.clientHeight;
    if (top < scrollTop) scroller.scrollTop = top;
    else if (minTop > scrollTop) scroller.scrollTop = minTop;
    marker.style.transform = `translateY(${top}px)`;
    draw();
  };
  window.addEventListener('keydown', (event) => {
    event.preventDefault();
    if (event.key === 'j' || event.key === 'ArrowDown') move(active + 1);
    if (event.key === 'PageDown') move(active + visibleRows - 2);
    if (event.key === 'a') {
      allSelected = !allSelected;
      for (const slot of slots) slot.element.toggleAttribute('data-selected', allSelected);
    }
  });
  scroller.addEventListener(
    'scroll',
    () => {
      moveStrips();
      draw();
    },
    { passive: true },
  );
  draw();
  scroller.focus();
}
