import { formatAge } from '#commands/text/age.ts';

import { benchRows } from './devices.ts';

const ROW = 28;
const OVERSCAN = 7;

const SHAPES = { ERROR: 'M4.5 0 9 4.5 4.5 9 0 4.5Z', WARNING: 'M4.5 .5 9 8.5H0Z', OK: 'M1 1h7v7h-7Z' };

/** A recycled row: a box, a mark, seven texts and up to three chips, as many elements as in the real one. */
function createSlot() {
  const element = document.createElement('div');
  element.className = 'pool-row';
  const chips = '<i class="pool-chip"></i>'.repeat(3);
  element.innerHTML = `<span><b class="pool-box"></b></span><span><svg width="9" height="9"><path/></svg></span>${'<span></span>'.repeat(6)}<span>${chips}</span>`;
  const [, mark, ...texts] = element.children;
  const tags = texts.pop();
  return { index: -1, element, mark: mark?.querySelector('path'), texts, chips: [...(tags?.children ?? [])] };
}

/** A table reduced to recycled elements with the same look, without React, source or accessibility. */
export function startPool(root: HTMLElement, total: number) {
  const rowAt = benchRows(total);
  root.innerHTML = '<div class="pool" tabindex="0"><div><div class="pool-marker"></div></div></div>';
  const scroller = root.firstElementChild as HTMLElement;
  const body = scroller.firstElementChild as HTMLElement;
  const marker = body.firstElementChild as HTMLElement;
  body.style.height = `${Math.min(total * ROW, 15_000_000)}px`;
  const visibleRows = Math.ceil(scroller.clientHeight / ROW);
  const count = visibleRows + 1 + 2 * OVERSCAN;
  const slots = Array.from({ length: count }, createSlot);
  body.prepend(...slots.map((slot) => slot.element));
  let all = false;
  let active = 0;

  const draw = () => {
    const first = Math.max(0, Math.min(Math.floor(scroller.scrollTop / ROW) - OVERSCAN, total - count));
    for (let index = first; index < first + count; index++) {
      const slot = slots[index % count];
      const row = rowAt(index);
      if (!slot || !row || slot.index === index) continue;
      slot.index = index;
      slot.element.style.transform = `translateY(${index * ROW}px)`;
      slot.element.toggleAttribute('data-selected', all);
      slot.mark?.setAttribute('d', SHAPES[row.health]);
      const received = `${row.received} / 24`;
      const texts = [row.number, row.name, row.type, row.lifecycle, formatAge(row.inactivity), received];
      for (const [i, cell] of slot.texts.entries()) cell.textContent = texts[i] ?? '';
      for (const [i, chip] of slot.chips.entries()) {
        chip.textContent = row.tags[i] ?? '';
        chip.toggleAttribute('hidden', i >= row.tags.length);
      }
    }
  };
  const move = (to: number) => {
    active = Math.min(total - 1, Math.max(0, to));
    const top = active * ROW;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    const minTop = top + ROW - scroller.clientHeight;
    if (minTop > scroller.scrollTop) scroller.scrollTop = minTop;
    marker.style.transform = `translateY(${top}px)`;
    draw();
  };
  window.addEventListener('keydown', (event) => {
    event.preventDefault();
    if (event.key === 'j') move(active + 1);
    if (event.key === 'PageDown') move(active + visibleRows - 1);
    if (event.key === 'a') {
      all = !all;
      for (const slot of slots) slot.element.toggleAttribute('data-selected', all);
    }
  });
  scroller.addEventListener('scroll', draw, { passive: true });
  draw();
  scroller.focus();
}
