import { type Locator, type Page } from '@playwright/test';

import { expect } from './expect.ts';

/** Presses keys as the console writes them: `t`, `Shift+T`, `g w`. */
export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
}

/** Types into the focused element and presses Enter. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

const MAX_STOPS = 80;

/**
 * Presses Tab until the element has focus.
 *
 * @throws if the keyboard doesn't reach it
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Pressing Tab ${MAX_STOPS} times did not reach ${target.toString()}.`);
}

/**
 * Presses a key, such as an arrow, until the element has focus. Waits for each move, because tabs move the focus in a
 * timer: a key pressed before that starts from the same tab again.
 *
 * @throws if the key doesn't reach it
 */
export async function moveTo(page: Page, key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let moves = 0; moves < MAX_STOPS; moves++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    const focusedElement = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press(key);
    await page.waitForFunction((element) => element !== document.activeElement, focusedElement);
  }
  throw new Error(`Pressing ${key} ${MAX_STOPS} times did not reach ${target.toString()}.`);
}

/** Starts recording whether a pointer is used, for {@link expectNoPointer}. */
export async function watchPointer(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener('pointerdown', () => document.documentElement.setAttribute('data-pointer-used', '')),
  );
}

export async function expectNoPointer(page: Page): Promise<void> {
  await expect(page.locator('html'), 'no pointer was used').not.toHaveAttribute('data-pointer-used');
}
