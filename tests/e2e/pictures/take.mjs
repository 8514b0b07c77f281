// Takes the screenshots for README.md from a running demo server: `node tests/e2e/pictures/take.mjs`, optionally
// followed by the server's URL.
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

import { options } from '#server/base/options.mjs';
import { findBrowser } from '#tests/browser.mjs';

const [address = `http://127.0.0.1:${options.port.fallback}`] = process.argv.slice(2);
const view = `${address}/devices?filter=health:ERROR`;

/**
 * Signs in to the demo.
 *
 * @param {import('@playwright/test').Page} page
 */
async function signIn(page) {
  // The tour for new users would cover the screen.
  await page.addInitScript(() => localStorage.setItem('quarterdeck-tour:demo-operator', 'yes'));
  await page.goto(view);
  await page.getByRole('textbox', { name: 'Email' }).fill('operator@northwind.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('Quarterdeck-demo-1');
  await page.keyboard.press('Enter');
  // Each browser is offered a second factor once.
  await page.getByRole('button', { name: 'Not now' }).click();
}

const browser = await chromium.launch({ executablePath: findBrowser() });
try {
  for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
    await signIn(page);
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await status.getByText('live').waitFor();
    await page.getByRole('gridcell', { name: 'Installed' }).first().waitFor();
    for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await status.getByText('3 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Transmission interval').waitFor();
    const path = fileURLToPath(new URL(`devices-${colorScheme}.png`, import.meta.url));
    await page.screenshot({ path, animations: 'disabled' });
    await page.close();
    console.log(path);
  }
} finally {
  await browser.close();
}
