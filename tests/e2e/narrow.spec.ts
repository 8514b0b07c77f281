import type { Locator, Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { rows, runFromPalette, signIn, table, toasts } from './support/console.ts';
import { enter, press } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

// A browser window prompts for this permission; the headless shell denies it.
test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Windows from small to large; the first is 1440x900 at 200% zoom. */
const SIZES = [
  { width: 720, height: 450 },
  { width: 1024, height: 700 },
  { width: 1100, height: 700 },
  { width: 1440, height: 900 },
] as const;

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the positions and text of the visible elements, clipped to their scroll containers. */
function measureBoxes(elements: Locator): Promise<Box[]> {
  return elements.evaluateAll((nodes) =>
    nodes.flatMap((element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
        if (getComputedStyle(ancestor).overflow === 'visible') continue;
        const view = ancestor.getBoundingClientRect();
        left = Math.max(left, view.left);
        right = Math.min(right, view.right);
        top = Math.max(top, view.top);
        bottom = Math.min(bottom, view.bottom);
      }
      const isVisible = right > left && bottom > top && element.checkVisibility({ visibilityProperty: true });
      return isVisible
        ? [{ name: element.textContent || element.outerHTML.slice(0, 80), left, right, top, bottom }]
        : [];
    }),
  );
}

/** Returns the pairs that overlap by more than a pixel. */
function overlaps(group: readonly Box[], others: readonly Box[]): string[] {
  return group.flatMap((box) =>
    others
      .filter(
        (item) =>
          item !== box &&
          Math.min(box.right, item.right) - Math.max(box.left, item.left) > 1 &&
          Math.min(box.bottom, item.bottom) - Math.max(box.top, item.top) > 1,
      )
      .map((item) => `${box.name} / ${item.name}`),
  );
}

const strip = (page: Page): Locator => page.getByRole('banner');

test('nothing in the frame overlaps or is cut off at any width', async ({ page }) => {
  await signIn(page, 'administrator');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto('/devices');
    await expect(rows(page, 'Devices').first()).toBeVisible();
    await expect(page.getByRole('group', { name: 'Devices by health' }).getByRole('button')).toHaveCount(3);
    const buttons = await measureBoxes(strip(page).getByRole('button'));
    expect(overlaps(buttons, buttons), `at ${size.width}`).toEqual([]);
    expect(Math.max(...buttons.map(({ right }) => right)), `at ${size.width}`).toBeLessThanOrEqual(size.width);
    const name = strip(page).getByText('Northwind Energy', { exact: true });
    expect(await name.evaluate((item) => item.scrollWidth - item.clientWidth), `at ${size.width}`).toBeLessThanOrEqual(
      0,
    );

    await press(page, 'x Enter');
    await expect(page.getByRole('article')).toBeVisible();
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    const clippedLabels = await bar.getByRole('button').evaluateAll((items) =>
      items.flatMap((item) => {
        const box = item.getBoundingClientRect();
        const view = item.parentElement?.getBoundingClientRect();
        return view && box.top < view.bottom && box.right > view.right + 1 ? [item.textContent] : [];
      }),
    );
    expect(clippedLabels, `at ${size.width}`).toEqual([]);
    await expect(bar.getByRole('button', { name: 'Actions' })).toBeInViewport({ ratio: 1 });
  }
});

test('long titles leave room for the names of the organization and the current screen', async ({ page }) => {
  const clippedWidth = (item: Locator): Promise<number> => item.evaluate((node) => node.scrollWidth - node.clientWidth);
  await signIn(page, 'administrator');
  for (const size of [SIZES[1], SIZES[3]]) {
    await page.setViewportSize(size);
    await page.goto('/settings/organizations?organization=northwind-offshore');
    const rail = page.getByRole('navigation', { name: 'Screens' }).getByText('Sub-organizations');
    await expect(rail).toBeVisible();
    expect(await clippedWidth(rail), `at ${size.width}`).toBeLessThanOrEqual(0);
    const name = strip(page).getByText('Northwind Offshore', { exact: true });
    expect(await clippedWidth(name), `at ${size.width}`).toBeLessThanOrEqual(0);
  }
});

test('frozen columns stay in place while the others scroll sideways', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto('/devices');
  const grid = table(page, 'Devices');
  const row = rows(page, 'Devices').nth(2);
  await expect(row).toContainText('Sensor');
  const cells = row.getByRole('gridcell');
  expect(await cells.count()).toBe(Number(await grid.getAttribute('aria-colcount')));
  const leftEdges = (locator: Locator): Promise<number[]> =>
    locator.evaluateAll((nodes) => nodes.map((node) => Math.round(node.getBoundingClientRect().left)));
  const titles = grid.getByRole('columnheader');
  const before = await leftEdges(cells);
  expect(await leftEdges(titles)).toEqual(before);
  await row.hover();
  await page.mouse.wheel(90, 0);
  // The checkbox, the health mark, and the number are frozen.
  const after = before.map((left, index) => (index < 3 ? left : left - 90));
  await expect.poll(() => leftEdges(cells)).toEqual(after);
  expect(await leftEdges(titles)).toEqual(after);
  // Rows that scroll in later are moved too.
  await press(page, 'End');
  await expect(rows(page, 'Devices').last()).not.toHaveText('');
  expect(await leftEdges(rows(page, 'Devices').last().getByRole('gridcell'))).toEqual(after);
  const sticky = await grid
    .getByRole('rowgroup')
    .evaluate(
      (body) => [...body.querySelectorAll('*')].filter((item) => getComputedStyle(item).position === 'sticky').length,
    );
  expect(sticky, 'a sticky box per row would need a layer per row').toBe(0);
  expect(await findViolations(page)).toEqual([]);
});

test('the row under the pointer is highlighted again after scrolling', async ({ page }) => {
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
  const hovered = table(page, 'Devices').locator('[data-hovered]');
  await rows(page, 'Devices').nth(4).hover();
  await expect(hovered).toHaveAttribute('aria-rowindex', '6');
  await page.mouse.wheel(0, 28 * 10);
  await expect(hovered).toHaveAttribute('aria-rowindex', '16');
  await page.mouse.move(5, 5);
  await expect(hovered).toHaveCount(0);
});

test('tabs have no scrollbar, and the active tab stays in view', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.setViewportSize({ width: 1024, height: 700 });
  await press(page, 'j Enter 5');
  const views = page.getByRole('group', { name: 'Views' });
  const height = (await views.boundingBox())?.height;
  await press(page, 'j Enter');
  await expect(page.getByRole('article')).toBeVisible();
  await expect(views.getByRole('button', { pressed: true })).toContainText('Gateways');
  await expect(views.getByRole('button', { pressed: true })).toBeInViewport({ ratio: 1 });
  const expectNoScrollbar = async (locator: Locator): Promise<void> => {
    await expect(locator).toBeVisible();
    const scrollable = await locator.evaluate((element) => ({
      vertical: element.scrollHeight - element.clientHeight,
      scrollbar: (element as HTMLElement).offsetHeight - element.clientHeight,
    }));
    expect(scrollable).toEqual({ vertical: 0, scrollbar: 0 });
  };
  await expectNoScrollbar(views);
  expect((await views.boundingBox())?.height, 'the panel does not change the height').toBe(height);
  // Chips may exceed the available space; the empty field never does.
  const line = page.getByRole('combobox', { name: 'Filter Devices' }).locator('..');
  await press(page, '0 Enter');
  await expect(page.getByRole('article')).toBeVisible();
  await expect(page).not.toHaveURL(/filter=/);
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.goto('/settings/accounts');
  for (const locator of [views, page.getByRole('navigation').nth(1)]) await expectNoScrollbar(locator);
});

test("a list's actions leave room for its filter beside an open panel", async ({ page, baseURL }) => {
  await quarterdeck(await signInTerminal(baseURL ?? '', 'support'), 'me request-access northwind --yes');
  await signIn(page, 'administrator');
  for (const size of SIZES.slice(1)) {
    await page.setViewportSize(size);
    await page.goto('/settings/accounts/requests');
    await expect(rows(page, 'Requests').first()).toBeVisible();
    await press(page, 'Enter');
    await expect(page.getByRole('article')).toBeVisible();
    const list = page.getByRole('region', { name: 'Requests' });
    const filter = await measureBoxes(page.getByRole('search').locator('input, [role=status]'));
    const actions = await measureBoxes(list.getByRole('button', { name: /^(Invite|Approve|Reject)/ }));
    expect(filter, `at ${size.width}`).toHaveLength(2);
    expect(actions, `at ${size.width}`).toHaveLength(3);
    expect(overlaps([...filter, ...actions], [...filter, ...actions]), `at ${size.width}`).toEqual([]);
    for (const button of await list.getByRole('button', { name: /^(Invite|Approve|Reject)/ }).all()) {
      await expect(button, `at ${size.width}`).toBeInViewport({ ratio: 1 });
    }
  }
});

/** Selects controls, counts, and titles. */
const CONTROLS =
  'button, a, input, select, textarea, h1, h2, [role=combobox], [role=columnheader], [role=status], [role=timer]';

/** Expects the newest toast to have the given text and to cover nothing, then closes it. */
async function expectToastCoversNothing(page: Page, text: string): Promise<void> {
  const toast = toasts(page).getByRole('listitem').first();
  await expect(toast).toContainText(text);
  await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const others = page.locator(`:is(header, main, footer, aside, nav) :is(${CONTROLS})`);
  const toastBoxes = (await measureBoxes(toasts(page).getByRole('listitem'))).slice(0, 1);
  const inToast = await measureBoxes(toasts(page).locator(CONTROLS));
  const names = new Set(inToast.map(({ left, top }) => `${left} ${top}`));
  const otherBoxes = (await measureBoxes(others)).filter(({ left, top }) => !names.has(`${left} ${top}`));
  expect(overlaps(toastBoxes, otherBoxes)).toEqual([]);
  await toast.getByRole('button', { name: 'Close' }).click();
}

/** The sizes with room for a toast beside the panel. */
const TOAST_SIZES = [...SIZES.slice(1), { width: 1920, height: 1080 }] as const;

for (const { width, height } of TOAST_SIZES) {
  test(`a toast covers no control, count, or title in a window ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await signIn(page, 'administrator');
    const copyLink = async (): Promise<void> => {
      await runFromPalette(page, 'view copy link', 'view copy link');
      await expectToastCoversNothing(page, 'Copied');
    };
    await copyLink();
    await press(page, 'j Enter');
    await expect(page.getByRole('article')).toBeVisible();
    await copyLink();
    await press(page, 'e');
    await expect(page.getByRole('group', { name: /^Edit/ })).toBeVisible();
    await copyLink();
    await page.goto('/user/general');
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    await copyLink();
  });
}

test('a toast covers nothing in a support session', async ({ page }) => {
  await signIn(page, 'support', '/devices');
  // No other test starts a support session in this organization, so the reason prompt opens.
  await press(page, 'o');
  await enter(page, 'kes');
  await enter(page, 'ticket 4714');
  const band = page.getByRole('complementary', { name: /^Acting for/ });
  await expect(band.getByRole('button', { name: /^Extend/ })).toBeVisible();
  await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);
  for (const size of TOAST_SIZES) {
    await page.setViewportSize(size);
    // For a moment after a rejection, keys still count as text for the prompt that didn't open.
    await expect(async () => {
      await press(page, 't');
      await expect(toasts(page).getByRole('listitem')).toHaveCount(1, { timeout: 600 });
    }).toPass();
    await expectToastCoversNothing(page, 'support allow-changes');
  }
  await band.getByRole('button', { name: /^Return/ }).click();
  await expect(band).toBeHidden();
});

test('a strip or table fades at each truncated side', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await signIn(page, 'administrator');
  const views = page.getByRole('group', { name: 'Views' });
  const grid = table(page, 'Devices');
  await press(page, 'Enter');
  await expect(page.getByRole('article')).toBeVisible();
  for (const strip of [views, grid]) {
    await strip.evaluate((element) => element.scrollTo({ left: 0 }));
    await expect(strip).toHaveAttribute('data-more', 'end');
    await strip.evaluate((element) => element.scrollTo({ left: 40 }));
    await expect(strip).toHaveAttribute('data-more', 'start end');
    await strip.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect(strip).toHaveAttribute('data-more', 'start');
  }
  await expect(views).toHaveCSS('mask-image', /^linear-gradient/);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect(views).not.toHaveAttribute('data-more');
});

test('a long line in a form wraps within its field', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.goto('/devices');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await press(page, 'Control+k');
  await page.keyboard.type('app paste-keys');
  await press(page, 'Tab');
  const field = page.getByRole('textbox', { name: 'Keys' });
  await field.fill(`{ ${'"device.rename": ["n"], '.repeat(20)}${'x'.repeat(300)} }`);
  const box = await field.boundingBox();
  expect(box && box.x + box.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
});
