import { formatAge } from '#commands/text/age.ts';
import { PLAIN_CHIP } from '#src/ui/Chip.tsx';
import { clockNow, subscribeClock } from '#src/ui/clock.ts';
import { cx } from '#src/ui/cx.ts';
import { fitChips } from '#src/ui/fit-chips.ts';
import { HEALTH_SHAPES, type HealthLevel } from '#src/ui/HealthMark.tsx';
import { tip } from '#src/ui/tip.ts';

import type { DrawCell } from './columns.ts';

// Cell content drawn without React. Elsewhere, `HealthMark`, `RelativeTime`, and `TagChips` render the same content.

const SVG = 'http://www.w3.org/2000/svg';

export function drawText<Row>(read: (row: Row) => string): DrawCell<Row> {
  return (cell) => {
    const node = document.createTextNode('');
    cell.append(node);
    return {
      show: (row) => {
        node.data = row === undefined ? '' : read(row);
      },
    };
  };
}

interface Health {
  readonly level: HealthLevel;
  /** The name of the level for screen readers. */
  readonly label: string;
}

export function drawHealth<Row>(read: (row: Row) => Health | undefined): DrawCell<Row> {
  return (cell) => {
    const icon = document.createElementNS(SVG, 'svg');
    for (const [name, value] of Object.entries({ viewBox: '0 0 9 9', width: '9', height: '9', role: 'img' }))
      icon.setAttribute(name, value);
    const path = icon.appendChild(document.createElementNS(SVG, 'path'));
    path.setAttribute('fill', 'currentColor');
    let shown: Partial<Health> = {};
    return {
      show: (row) => {
        const { level, label } = (row === undefined ? undefined : read(row)) ?? {};
        if (level !== shown.level) {
          if (level === undefined) icon.remove();
          else {
            path.setAttribute('d', HEALTH_SHAPES[level].path);
            icon.setAttribute('class', cx('inline-block shrink-0', HEALTH_SHAPES[level].color));
            if (shown.level === undefined) cell.append(icon);
          }
        }
        if (label !== undefined && label !== shown.label) icon.setAttribute('aria-label', label);
        shown = { ...(level === undefined ? {} : { level }), ...(label === undefined ? {} : { label }) };
      },
    };
  };
}

interface Age {
  /** ms since the epoch. */
  readonly at: number;
  /** The time in the user's format. */
  readonly exact: string;
}

/** Draws the age of a time and keeps it up to date. Draws a string as it is. */
export function drawAge<Row>(read: (row: Row) => Age | string): DrawCell<Row> {
  return (cell) => {
    const element = document.createElement('time');
    const node = document.createTextNode('');
    let at: number | undefined;
    const tick = () => {
      if (at !== undefined) node.data = formatAge(clockNow() - at);
    };
    return {
      show: (row) => {
        const value = row === undefined ? '' : read(row);
        at = typeof value === 'string' ? undefined : value.at;
        const parent = at === undefined ? cell : element;
        if (typeof value === 'string') node.data = value;
        else {
          element.dateTime = new Date(value.at).toISOString();
          setAttributes(element, tip(value.exact));
          tick();
        }
        if (node.parentNode === parent) return;
        parent.append(node);
        if (at === undefined) element.remove();
        else cell.append(element);
      },
      remove: subscribeClock(tick),
    };
  };
}

const setAttributes = (element: Element, attributes: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

function createSpan(className: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  return element;
}

interface Measured extends Age {
  /** The number, without its unit. */
  readonly text: string;
  readonly unit: string;
  /** The age in ms from which it is shown as old. */
  readonly oldAfter: number;
}

/**
 * Draws a measured number with its quiet unit. The tooltip gives the time of measurement, and how long ago. An old
 * number is quiet, too, and screen readers read its age.
 */
export function drawValue<Row>(read: (row: Row) => Measured | undefined): DrawCell<Row> {
  return (cell) => {
    const content = createSpan('tabular-nums');
    const number = content.appendChild(createSpan('type-mono')).appendChild(document.createTextNode(''));
    const unit = content.appendChild(createSpan('text-ink-3')).appendChild(document.createTextNode(''));
    const oldAge = content.appendChild(createSpan('sr-only')).appendChild(document.createTextNode(''));
    let shown: Measured | undefined;
    const tick = () => {
      if (!shown) return;
      const age = clockNow() - shown.at;
      const isOld = age > shown.oldAfter;
      content.classList.toggle('text-ink-3', isOld);
      oldAge.data = isOld ? `, ${formatAge(age)}` : '';
      setAttributes(content, tip(`${formatAge(age)} · ${shown.exact}`));
    };
    return {
      show: (row) => {
        shown = row === undefined ? undefined : read(row);
        if (!shown) return content.remove();
        number.data = shown.text;
        unit.data = shown.unit === '' ? '' : ` ${shown.unit}`;
        tick();
        if (!content.parentNode) cell.append(content);
      },
      remove: subscribeClock(tick),
    };
  };
}

/** Draws as many names as fit, then the number of remaining names, which its tooltip and screen-reader text list. */
export function drawTags<Row>(read: (row: Row) => readonly string[]): DrawCell<Row> {
  return (cell, { width }) => {
    const line = createSpan('flex items-center gap-1');
    const chips: { readonly element: HTMLElement; readonly text: Text; isShown: boolean }[] = [];
    const counter = createSpan('shrink-0 text-label text-ink-3');
    const count = counter.appendChild(createSpan(''));
    count.setAttribute('aria-hidden', 'true');
    const hiddenNames = counter.appendChild(createSpan('sr-only'));
    return {
      show: (row) => {
        const names = row === undefined ? [] : read(row);
        const fittingCount = names.length === 0 ? 0 : fitChips(names, width);
        if (names.length === 0) line.remove();
        else if (!line.parentNode) cell.append(line);
        while (chips.length < fittingCount) {
          const element = createSpan(PLAIN_CHIP);
          chips.push({ element, text: element.appendChild(document.createTextNode('')), isShown: false });
        }
        for (const [index, chip] of chips.entries()) {
          const name = index < fittingCount ? names[index] : undefined;
          if (name === undefined) {
            if (chip.isShown) chip.element.remove();
          } else {
            if (chip.text.data !== name) chip.text.data = name;
            if (!chip.isShown) line.insertBefore(chip.element, counter.parentNode ? counter : null);
          }
          chip.isShown = name !== undefined;
        }
        const hiddenText = names.slice(fittingCount).join(', ');
        if (hiddenText === '') return counter.remove();
        count.textContent = `+${names.length - fittingCount}`;
        hiddenNames.textContent = `, ${hiddenText}`;
        setAttributes(counter, tip(hiddenText));
        if (!counter.parentNode) line.append(counter);
      },
    };
  };
}
