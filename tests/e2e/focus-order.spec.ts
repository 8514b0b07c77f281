import type { Page } from '@playwright/test';

import { rows, signIn } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

interface Stop {
  /** The name that a screen reader would announce. */
  readonly name: string;
  readonly part: string;
  /** True if the stop is above the previous stop, or to its left on the same line. */
  readonly goesBack: boolean;
  readonly hasRing: boolean;
  /** The element that clips the focus ring; empty if the whole ring is visible. */
  readonly clippedBy: string;
}

/** The parts of the frame in visual order: left to right, top to bottom. */
const PARTS = {
  rail: 'nav[aria-label=Screens]',
  strip: 'header[data-org-hue]',
  tabs: 'main nav, nav.tab-strip',
  views: '[role=group][aria-label=Views]',
  filter: 'search',
  actions: 'search ~ div',
  table: '[role=grid]',
  selection: '[role=toolbar]',
  divider: '[role=separator]',
  panel: 'article',
  status: 'footer[aria-label=Status]',
  toasts: '[role=region][aria-label^=Notifications]',
} as const;

/** Returns the focused element; undefined if focus is in the browser's own toolbar. */
function readStop(page: Page): Promise<Stop | undefined> {
  return page.evaluate((parts) => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return undefined;
    const { left, top, bottom } = element.getBoundingClientRect();
    // The ring may be around the line that contains the field, or around the active row of a table.
    const ancestors: Element[] = [];
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) ancestors.push(ancestor);
    const outlinedElement = [...ancestors, ...element.querySelectorAll('*')].find(
      (item) => item.checkVisibility() && getComputedStyle(item).outlineStyle !== 'none',
    );
    let clippedBy = '';
    if (outlinedElement) {
      const box = outlinedElement.getBoundingClientRect();
      const style = getComputedStyle(outlinedElement);
      const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
      for (
        let ancestor = outlinedElement.parentElement;
        ancestor && clippedBy === '';
        ancestor = ancestor.parentElement
      ) {
        const { overflowX, overflowY } = getComputedStyle(ancestor);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const view = ancestor.getBoundingClientRect();
        const margins = [
          box.left - ring - view.left,
          view.right - box.right - ring,
          box.top - ring - view.top,
          view.bottom - box.bottom - ring,
        ];
        if (Math.min(...margins) < -0.5)
          clippedBy = `${ancestor.localName}.${ancestor.className.slice(0, 60)}: ${margins.map(Math.round).join()}`;
      }
    }
    // The divider colors its line instead.
    const hasRing =
      outlinedElement !== undefined || getComputedStyle(element, '::after').backgroundColor !== 'rgba(0, 0, 0, 0)';
    const labeled = element.getAttribute('aria-labelledby');
    const name =
      element.getAttribute('aria-label') ??
      (labeled && document.getElementById(labeled)?.textContent) ??
      element.textContent.trim();
    const part = Object.entries(parts).findLast(([, selector]) => element.closest(selector))?.[0] ?? 'nowhere';
    // Read the current position of the previous stop too because focus may have scrolled both.
    const memory = window as unknown as { before?: { readonly element: Element; readonly part: string } };
    const before = memory.before?.part === part ? memory.before.element.getBoundingClientRect() : undefined;
    memory.before = { element, part };
    const goesBack =
      before !== undefined &&
      (bottom <= before.top || (top < before.bottom && before.top < bottom && left < before.left));
    return { name, part, goesBack, hasRing, clippedBy };
  }, PARTS);
}

/** Tabs through the page and returns every stop. */
async function visitStops(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  // Start at the top of the page.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  for (let index = 0; index < 120; index++) {
    await press(page, 'Tab');
    const stop = await readStop(page);
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`Tab never left the page: ${stops.map(({ name }) => name).join(', ')}`);
}

/** Expects the parts in this order, each stop after the previous one, with a name and a fully visible focus ring. */
function expectOrder(stops: readonly Stop[], parts: readonly (keyof typeof PARTS)[]): void {
  const visitedParts = stops.map(({ part }) => part).filter((part, index, all) => part !== all[index - 1]);
  expect.soft(visitedParts).toEqual(parts);
  expect
    .soft(
      stops.flatMap(({ name, goesBack }) => (goesBack ? [name] : [])),
      'go back',
    )
    .toEqual([]);
  expect
    .soft(
      stops.flatMap(({ name, part }) => (name === '' ? [part] : [])),
      'have no name',
    )
    .toEqual([]);
  expect
    .soft(
      stops.flatMap(({ name, part, hasRing }) => (hasRing ? [] : [`${part}: ${name}`])),
      'have no ring',
    )
    .toEqual([]);
  expect
    .soft(
      stops.flatMap(({ name, clippedBy }) => (clippedBy ? [`${name}: ${clippedBy}`] : [])),
      'have a clipped ring',
    )
    .toEqual([]);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
]) {
  test(`Tab follows the visual order of the frame in a window ${size.width} px wide`, async ({ page }) => {
    await page.setViewportSize(size);
    await signIn(page, 'administrator');
    await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);
    await expect(page.getByRole('group', { name: 'Devices by health' }).getByRole('button')).toHaveCount(3);

    await test.step('a table', async () => {
      expectOrder(await visitStops(page), ['rail', 'strip', 'views', 'filter', 'actions', 'table', 'status']);
    });

    await test.step('a table with a filter and a selection, and the panel beside it', async () => {
      await press(page, '2');
      await expect(page).toHaveURL(/filter=/);
      await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);
      await press(page, 'x Enter');
      await expect(page.getByRole('article').getByText('Location', { exact: true })).toBeVisible();
      const mainStops = ['table', 'selection', 'divider', 'panel'] as const;
      expectOrder(await visitStops(page), ['rail', 'strip', 'views', 'filter', 'actions', ...mainStops, 'status']);
    });
  });
}

test('Tab moves from the filter, with its suggestions open, to the actions and the table', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, '/');
  await expect(page.getByRole('option').nth(4)).toBeVisible();
  const parts: (string | undefined)[] = [];
  do {
    await press(page, 'Tab');
    parts.push((await readStop(page))?.part);
  } while (parts.at(-1) === 'actions' && parts.length < 10);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.at(-1)).toBe('table');
});

test('rows of a panel list show their whole focus ring', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'Enter');
  for (const tab of ['Tags', 'Messages']) {
    await press(page, tab === 'Tags' ? '{' : '} } }');
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('article').getByRole('list', { name: tab }).getByRole('button').first()).toBeFocused();
    expect((await readStop(page))?.clippedBy, tab).toBe('');
  }
});
