import { expect, test } from '@playwright/test';
import type { HTTPRequest, Page } from 'puppeteer-core';

import { findFirefox, NO_FIREFOX } from '#tests/browser.mjs';
import { getPerson } from '#tests/e2e/support/people.ts';

import {
  countVisible,
  enter,
  focusedElement,
  goTo,
  openConsole,
  press,
  readText,
  type Console,
} from './support/driver.ts';

const firefox = findFirefox();
test.skip(firefox === undefined, NO_FIREFOX);

const GRID = '[role=grid][aria-label=Devices]';
const PALETTE = 'dialog[aria-label=Palette]';
const PLAN = `${PALETTE} [role=region][aria-label=Plan], ${PALETTE} section[aria-label=Plan]`;
const PANEL = 'article';
const STATUS = 'footer[aria-label=Status]';
const TOASTS = '[role=region][aria-label^=Notifications]';

let consoleDriver: Console;
let page: Page;

const text = (selector: string) => expect.poll(() => readText(page, selector));
const count = (selector: string) => expect.poll(() => countVisible(page, selector));

test.beforeAll(async () => {
  consoleDriver = await openConsole(firefox ?? '');
  page = consoleDriver.page;
  const { email, password } = getPerson('administrator');
  await goTo(page, '/');
  await expect.poll(() => focusedElement(page)).toContain('input');
  await page.keyboard.type(email);
  await press(page, 'Tab');
  await enter(page, password);
  // Each new browser offers a second factor.
  await expect.poll(() => readText(page, 'body')).toContain('Not now');
  const skip = await page.waitForSelector('::-p-text(Not now)');
  await skip?.click();
  await text(STATUS).toContain('live');
});
test.afterAll(() => consoleDriver.close());

test.beforeEach(async () => {
  consoleDriver.errors.length = 0;
  await goTo(page, '/devices');
  await text(GRID).toMatch(/[0-9A-F]{4} [0-9A-F]{4}/);
  await text(STATUS).toContain('live');
});
test.afterEach(() => expect(consoleDriver.errors, 'errors in the Firefox console').toEqual([]));

/** Reads the device number of the current target. */
async function readTargetNumber(): Promise<string> {
  return /[0-9A-F]{4} [0-9A-F]{4}/.exec(await readText(page, STATUS))?.[0] ?? '';
}

test('moves with j and k, opens with Enter, and filters', async () => {
  const first = await readTargetNumber();
  await press(page, 'j');
  await expect.poll(readTargetNumber).not.toBe(first);
  const second = await readTargetNumber();
  await press(page, 'k');
  await expect.poll(readTargetNumber).toBe(first);
  await press(page, 'j Enter');
  await text(PANEL).toContain(second);
  await press(page, 'Escape');
  await count(PANEL).toBe(0);

  await press(page, '/');
  await expect.poll(() => focusedElement(page)).toBe('combobox[Filter Devices]');
  await page.keyboard.type('heal');
  await text('[role=listbox]').toContain('health');
  await press(page, 'Control+a');
  await enter(page, 'health:ERROR');
  await text('search [role=status]').not.toContain('2,000');
  expect(page.url()).toContain('filter=health:ERROR');
  await press(page, '0');
  await text('search [role=status]').toContain('2,000');
});

test('plans, runs, and undoes a command from the palette', async () => {
  await goTo(page, '/devices?filter=lifecycle:INSTALLED');
  await text(GRID).toMatch(/[0-9A-F]{4} [0-9A-F]{4}/);
  await press(page, 'x j x Control+k');
  await count(`${PALETTE} input`).toBe(1);
  await page.keyboard.type('set lifecycle');
  await text(`${PALETTE} [role=option][aria-selected=true]`).toContain('Set lifecycle');
  await press(page, 'Enter');
  await page.keyboard.type('pau');
  await text(PLAN).toContain('Set lifecycle of 2 devices to Paused');
  await press(page, 'Enter');
  await text(TOASTS).toContain('Set lifecycle of 2 devices to Paused');
  await press(page, 'u');
  await text(TOASTS).toContain('Set lifecycle of 2 devices to Installed');
});

test('copies a selection even if its lookup takes a long time', async () => {
  const number = await readTargetNumber();
  // Firefox allows copying only within five seconds of a keypress; these responses come later.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 6000));
      return fetch(...request);
    };
  });
  await press(page, 'x y');
  await count(`${PALETTE} input`).toBe(1);
  await enter(page, 'id');
  await text(TOASTS).toContain('Copied: ID');
  await press(page, 'Control+k Control+v');
  await expect
    .poll(() => page.evaluate(() => document.querySelector<HTMLInputElement>('dialog input')?.value))
    .toBe(number);
  await press(page, 'Escape');
});

test('Tab moves from the filter to the table while suggestions are open', async () => {
  await press(page, '/');
  await expect.poll(() => focusedElement(page)).toBe('combobox[Filter Devices]');
  await text('search').toContain('health');
  const stops: string[] = [];
  do {
    await press(page, 'Tab');
    stops.push(await focusedElement(page));
  } while (stops.at(-1)?.startsWith('button') === true && stops.length < 10);
  expect(stops.at(-1)).toBe('grid[Devices]');
  expect(stops.filter((stop) => stop.startsWith('body'))).toEqual([]);
});

test("draws thin scrollbars in the console's colors", async () => {
  const style = await page.evaluate((grid) => {
    const { scrollbarColor, scrollbarWidth } = getComputedStyle(document.querySelector(grid) ?? document.body);
    return { scrollbarColor, scrollbarWidth };
  }, GRID);
  expect(style.scrollbarWidth).toBe('thin');
  expect(style.scrollbarColor).toMatch(/(transparent|rgba\(0, 0, 0, 0\))$/);
});

test("does not open Firefox's own search on / and ' on screens without a table", async () => {
  await goTo(page, '/user/general');
  await expect.poll(() => readText(page, 'main')).not.toBe('');
  await page.evaluate(() => {
    Object.assign(window, { prevented: {} });
    window.addEventListener('keydown', ({ key, defaultPrevented }) =>
      Object.assign((window as unknown as { prevented: object }).prevented, { [key]: defaultPrevented }),
    );
    (document.activeElement as HTMLElement | null)?.blur();
  });
  await press(page, "/ '");
  const prevented = await page.evaluate(() => (window as unknown as { prevented: object }).prevented);
  expect(prevented).toEqual({ '/': true, "'": true });
});

test('loads a failed part once the server is reachable again', async () => {
  let isUnreachable = true;
  const intercept = (request: HTTPRequest): void => {
    const shouldFail = isUnreachable && request.url().includes('/assets/Overlays-') && request.url().endsWith('.js');
    void (shouldFail ? request.abort() : request.continue());
  };
  await page.setRequestInterception(true);
  page.on('request', intercept);
  try {
    await goTo(page, '/devices');
    await text('body').toContain("Part of the console couldn't be loaded");
    isUnreachable = false;
    const retry = await page.waitForSelector('aside button::-p-text(Try again)');
    await retry?.click();
    await text('body').not.toContain("Part of the console couldn't be loaded");
    await press(page, 'Control+k');
    await count(`${PALETTE} input`).toBe(1);
    await press(page, 'Escape');
  } finally {
    page.off('request', intercept);
    await page.setRequestInterception(false);
    // Firefox reports the failed download.
    consoleDriver.errors.length = 0;
  }
});

// Runs last, because it leaves focus in the browser's own toolbar, after which the page's fields get no focus events.
test('Tab stops only at controls and regions', async () => {
  const wrongStops: string[] = [];
  const isControl = () =>
    page.evaluate(
      () =>
        document.activeElement?.matches(
          'a[href], button, input, [role=grid], [role=separator], [role=tabpanel], [role=region]',
        ) ?? false,
    );
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let index = 0; index < 60; index++) {
    await press(page, 'Tab');
    const stop = await focusedElement(page);
    if (!(await isControl())) wrongStops.push(stop);
  }
  // At the end of the page, Tab moves through the browser's own toolbar. Meanwhile, the page reports focus on its body.
  expect(wrongStops.filter((stop) => !stop.startsWith('body'))).toEqual([]);
});
