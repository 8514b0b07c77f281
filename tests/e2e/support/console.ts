import { type BrowserContext, type Locator, type Page } from '@playwright/test';

import type { PersonKind } from '#server/demo/seed/people.ts';

import { expect } from './expect.ts';
import { enter, press, tabTo } from './keyboard.ts';
import { getPerson } from './people.ts';

// Locators for the parts of the console, by accessible name.
export const table = (page: Page, name: string): Locator => page.getByRole('grid', { name });
export const rows = (page: Page, name: string): Locator =>
  table(page, name).locator('[role=row][aria-rowindex]:not([aria-rowindex="1"]):visible');
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Palette' });
export const plan = (page: Page): Locator => palette(page).getByRole('region', { name: 'Plan' });
export const selectedRow = (page: Page): Locator => palette(page).getByRole('option', { selected: true });
export const toasts = (page: Page): Locator => page.getByRole('region', { name: /^Notifications/ });
export const newestToast = (page: Page): Locator => toasts(page).getByRole('listitem').last();
export const statusLine = (page: Page): Locator => page.getByRole('contentinfo', { name: 'Status' });

/** Signs in on the sign-in screen that is already open. */
export async function signInHere(page: Page, kind: PersonKind): Promise<void> {
  const { email, password } = getPerson(kind);
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.type(email);
  await press(page, 'Tab');
  await enter(page, password);
  await skipSecondFactor(page);
}

/** Declines the second factor, which each browser offers once to users without one. */
export async function skipSecondFactor(page: Page): Promise<void> {
  const decline = page.getByRole('button', { name: 'Not now' });
  await expect(decline.or(statusLine(page))).toBeVisible();
  if (!(await decline.isVisible())) return;
  await tabTo(page, decline);
  await press(page, 'Enter');
  await expect(page).not.toHaveURL(/\/login\/mfa/);
}

type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The browser state of each person who has signed in during this run. */
const savedStates = new Map<PersonKind, BrowserState>();

/**
 * Signs in and waits until the console is live. Types the password only the first time. Later, the browser starts with
 * the saved state, like the browser of a returning user, unless a test has ended that session.
 */
export async function signIn(page: Page, kind: PersonKind, address = '/'): Promise<void> {
  const live = statusLine(page).getByText('live', { exact: true });
  const state = savedStates.get(kind);
  if (state) {
    await page.context().setStorageState(state);
    await page.goto(address);
    const email = page.getByRole('textbox', { name: 'Email' });
    await expect(live.or(email)).toBeVisible();
    if (await live.isVisible()) return;
  } else {
    await page.goto(address);
  }
  await signInHere(page, kind);
  await expect(live).toBeVisible();
  savedStates.set(kind, await page.context().storageState({ indexedDB: true }));
}

/** Applies a filter to all devices. */
export async function filterDevices(page: Page, filter: string): Promise<void> {
  await press(page, '1');
  await expect(page.getByRole('search')).toHaveText(/^\/[\d,]+ devices?$/);
  await press(page, '/');
  await expect(page.getByRole('combobox', { name: 'Filter Devices' })).toBeFocused();
  await enter(page, filter);
  await expect(page).toHaveURL((url) => url.searchParams.get('filter') === filter);
}

/** Finds the number of matches in the filter line, such as `2,000 devices`. */
export const matchCount = (page: Page): Locator => page.getByRole('search').getByRole('status');

/** Waits until the filter line shows the number of matches, instead of the whole fleet or the loading state. */
export async function expectFiltered(page: Page): Promise<void> {
  await expect(matchCount(page)).toHaveText(/^(?!2,000 )\d[\d,]* devices?$/);
}

/** Returns the first number in text such as `2,000 devices`. */
export function numberIn(text: string): number {
  const [digits] = /\d[\d,]*/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`No number in "${text}".`);
  return Number(digits.replaceAll(',', ''));
}

/** Returns the text that a paste would insert. */
export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Types into the palette and runs its first row, which must contain the given text. */
export async function runFromPalette(page: Page, text: string, row: string | RegExp): Promise<void> {
  await press(page, 'Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
  await expect(selectedRow(page)).toContainText(row);
  await press(page, 'Enter');
}

/** Expects every cell of a list in the panel to be inside the panel and to show its whole text, at two widths. */
export async function expectCellsFit(page: Page, list: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const panel = page.getByRole('article');
    const cells = panel.getByRole('list', { name: list }).locator('[data-row-head] > *');
    await expect(cells.first()).toBeVisible();
    const clippedLabels = await cells.evaluateAll((items) =>
      items.flatMap((cell) => {
        const view = cell.closest('article')?.getBoundingClientRect();
        const { left, right } = cell.getBoundingClientRect();
        const isInside = view !== undefined && left >= view.left && right <= view.right;
        const parts = [cell, ...cell.querySelectorAll('*')];
        const isFullyVisible = parts.every(
          ({ scrollWidth, clientWidth }) => clientWidth === 0 || scrollWidth <= clientWidth,
        );
        return isInside && isFullyVisible ? [] : [cell.textContent];
      }),
    );
    expect(clippedLabels, `at ${width}`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}
