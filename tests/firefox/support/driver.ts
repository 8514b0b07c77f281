import { launch, type Browser, type KeyInput, type Page } from 'puppeteer-core';

import { SKIP_TOUR } from '#tests/e2e/support/tour.ts';
import { address } from '#tests/e2e/web-server.ts';

/** The console in the system's Firefox, with the errors that the page reports. */
export interface Console {
  readonly page: Page;
  readonly errors: string[];
  close(): Promise<void>;
}

/**
 * Starts Firefox and opens the console in it.
 *
 * @param executablePath the path of Firefox
 */
export async function openConsole(executablePath: string): Promise<Console> {
  const browser: Browser = await launch({
    browser: 'firefox',
    executablePath,
    defaultViewport: { width: 1440, height: 900 },
  });
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(SKIP_TOUR);
  const errors: string[] = [];
  page.on('console', (entry) => {
    if (entry.type() === 'error') errors.push(entry.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, errors, close: () => browser.close() };
}

export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(address() + path);
}

/** Presses keys in sequence, with chords joined by `+`: `t`, `Shift+T`, `g w`, `Control+k`. */
export async function press(page: Page, keys: string): Promise<void> {
  for (const chord of keys.split(' ')) {
    const parts = chord.split('+') as KeyInput[];
    const modifiers = parts.slice(0, -1);
    for (const modifier of modifiers) await page.keyboard.down(modifier);
    await page.keyboard.press(parts.at(-1) as KeyInput);
    for (const modifier of modifiers.toReversed()) await page.keyboard.up(modifier);
  }
}

/** Types into the focused element and presses Enter. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Returns the text of the first element that matches the selector; empty if there is none. */
export function readText(page: Page, selector: string): Promise<string> {
  return page.evaluate((query) => document.querySelector<HTMLElement>(query)?.innerText ?? '', selector);
}

/** Returns the number of visible elements that match the selector. */
export function countVisible(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (query) => [...document.querySelectorAll(query)].filter((element) => element.checkVisibility()).length,
    selector,
  );
}

/** Returns the focused element, written like a selector: `input[Filter Devices]`. */
export function focusedElement(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 40);
    return `${element.getAttribute('role') ?? element.localName}[${name}]`;
  });
}
