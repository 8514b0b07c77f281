import type { Locator, Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { readClipboard, palette, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Returns the number before a unit, as in `Pressure 177.6 bar 3 m`. */
async function readValue(text: Locator, unit: string): Promise<number> {
  await expect(text).toContainText(unit);
  const [, value = ''] = new RegExp(`([-\\d.]+)\\s*${unit}`).exec(await text.innerText()) ?? [];
  return Number(value);
}

const chart = (page: Page): Locator => page.getByRole('region', { name: /^Values of / }).first();
const crosshair = (page: Page): Locator => page.getByRole('status', { name: 'Crosshair' });

/** The content of a pressure message: a frame type, a battery of 3.6 V, 42.5 bar, 14 °C, and a sequence number. */
const MESSAGE = '100E100000109A057801';

test('shows the values of a device in its panel and as a chart', async ({ page, baseURL }) => {
  await watchPointer(page);
  await signIn(page, 'administrator');
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  const pressure = page.getByRole('article').getByRole('button', { name: /^Pressure/ });
  const temperature = page.getByRole('article').getByRole('button', { name: /^Temperature/ });
  let number = '';

  await test.step('lists the last values by priority, with units', async () => {
    await press(page, '/');
    await enter(page, 'pressure lifecycle:INSTALLED sort:number');
    await expect(rows(page, 'Devices').first()).toBeVisible();
    await press(page, 'j');
    await press(page, 'Enter');
    await expect(page.getByRole('article')).toBeVisible();
    await press(page, '}');
    await expect(pressure).toBeFocused();
    await expect(pressure).toContainText(/[\d.]+\s*bar/);
    await expect(temperature).toContainText(/[\d.]+\s*°C/);
    await expect(page.getByRole('region', { name: 'Device status' })).toContainText('Battery');
    number = /device\/(\w{4}[+ ]\w{4})/.exec(decodeURIComponent(page.url()))?.[1]?.replace('+', ' ') ?? '';
    expect.soft(await findViolations(page), 'tab').toEqual([]);
  });

  await test.step('opens a field as a chart, and adds another field', async () => {
    await press(page, 'Enter');
    await expect(chart(page)).toBeVisible();
    await expect(pressure).toHaveAttribute('aria-pressed', 'true');
    await press(page, 'ArrowDown');
    await expect(temperature).toBeFocused();
    await press(page, 'Enter');
    await expect(page).toHaveURL(/chart\[0\]=pressure&chart\[1\]=temperature/);
    await expect(page.getByRole('list', { name: 'Trends' })).toContainText(
      /Pressure, from [\d.]+ bar to [\d.]+ bar, highest [\d.]+ bar at .+, lowest/,
    );
    expect.soft(await findViolations(page), 'chart').toEqual([]);
  });

  await test.step('moves the crosshair by one value and by ten', async () => {
    await press(page, 'ArrowLeft');
    await expect(crosshair(page)).toContainText(/Pressure [\d.]+ bar, Temperature [\d.]+ °C/);
    const first = await crosshair(page).innerText();
    await press(page, 'Shift+ArrowLeft');
    await expect(crosshair(page)).not.toHaveText(first);
    await press(page, 'Shift+ArrowRight');
    await expect(crosshair(page)).toHaveText(first);
  });

  await test.step('compares values with those at a mark, until it is removed', async () => {
    await press(page, ',');
    await expect(crosshair(page)).toContainText(
      /\+0 s from the mark, Pressure [\d.]+ bar \(0\.\d+ bar since the mark\)/,
    );
    await press(page, 'ArrowLeft');
    await expect(crosshair(page)).toContainText(/-\d+ .* from the mark, Pressure [\d.]+ bar \([-+]?[\d.]+ bar since/);
    expect.soft(await findViolations(page), 'mark').toEqual([]);
    await press(page, 'ArrowRight ,');
    await expect(crosshair(page)).not.toContainText('mark');
  });

  await test.step('zooms around the crosshair and shows the whole period again', async () => {
    await press(page, '+');
    await expect(page).toHaveURL(/zoom=/);
    await press(page, '+');
    await press(page, '-');
    await press(page, '=');
    await expect(page).not.toHaveURL(/zoom=/);
  });

  await test.step('shows a preset, and a period that is typed', async () => {
    await tabTo(page, chart(page).getByRole('button', { name: 'Last 24 h' }));
    await press(page, 'Enter');
    await expect(page).toHaveURL(/range=-1d/);
    await press(page, 'i');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await enter(page, '-36h');
    await expect(page).toHaveURL(/range=-1d12h/);
    await page.reload();
    await expect(page.getByRole('list', { name: 'Trends' })).toContainText('Pressure, from');
    await expect(chart(page).getByRole('textbox')).toHaveValue('-1d12h..now');
  });

  await test.step('lists the values in a table and copies them', async () => {
    await press(page, 'n');
    const table = chart(page).getByRole('table');
    await expect(table.getByRole('columnheader')).toHaveText(['Time', 'Pressure (bar)', 'Temperature (°C)']);
    expect.soft(await findViolations(page), 'table').toEqual([]);
    await runFromPalette(page, 'copy values', 'Copy values');
    await expect(toasts(page)).toContainText(/Copied \d+ rows/);
    expect(await readClipboard(page)).toMatch(
      /^Time\tTime zone\tPressure \(bar\)\tTemperature \(°C\)\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\tUTC[+-]\d\d:\d\d\t[\d.]+\t[\d.]+$/m,
    );
    await press(page, 'n');
    await expect(table).toHaveCount(0);
  });

  await test.step("shows a new value in the user's unit", async () => {
    expect(await quarterdeck(terminal, `me set-units --pressure PSI`)).toMatchObject({ code: 0 });
    expect(await quarterdeck(terminal, `device send-test-message '${number}' ${MESSAGE} --yes`)).toMatchObject({
      code: 0,
    });
    await expect(pressure).toContainText('psi');
    await expect.poll(() => readValue(pressure, 'psi')).toBeCloseTo(616.41, 0);
    await expect(chart(page)).toContainText(/psi/);
    expect(await quarterdeck(terminal, `me set-units --pressure AS_SENT`)).toMatchObject({ code: 0 });
  });

  await test.step('closes the chart before the panel', async () => {
    await press(page, 'Escape');
    await expect(chart(page)).toHaveCount(0);
    await expect(page.getByRole('article')).toBeVisible();
  });
  await expectNoPointer(page);
});

test('reports the mistakes in the address of a chart', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, '/');
  await enter(page, 'pressure lifecycle:INSTALLED sort:number');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await press(page, 'j');
  await press(page, 'Shift+V');
  await expect(chart(page)).toBeVisible();
  await page.goto(`${page.url()}&chart[5]=presure&range=tuesday`);
  await expect(page.getByRole('alert').filter({ hasText: 'presure' })).toContainText('Its fields are pressure');
  await expect(page.getByRole('alert').filter({ hasText: 'tuesday' })).toContainText('Write -36h');
});
