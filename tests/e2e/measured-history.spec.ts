import { palette, plan, rows, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

/** A pressure sensor, whose messages reach back for almost a week. */
const NUMBER = 'CFC3 C7B6';
const DAY = 86_400_000;

/** Returns the start of the last Monday before today in UTC, which is the time zone of the tests. */
function lastMonday(): Date {
  const today = new Date();
  const daysAgo = (today.getUTCDay() + 6) % 7 || 7;
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - daysAgo));
}

test('gives a new process point the history of a device from last Monday', async ({ page }) => {
  const name = 'Yarrow 9 annulus B';
  const monday = lastMonday().toISOString().slice(0, 10);
  const panel = page.getByRole('article', { name });
  const pressure = panel.getByRole('button', { name: /^Pressure/ });
  const chart = page.getByRole('region', { name: `Values of ${name}` }).first();
  await watchPointer(page);
  await signIn(page, 'administrator');

  await test.step('creates the point', async () => {
    await press(page, 'g p');
    await press(page, 'c p');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type(name);
    await expect(plan(page)).toContainText(name);
    await press(page, 'Enter');
    await expect(palette(page).getByRole('option', { selected: true })).toHaveText(/^Create process point/);
    await press(page, 'Enter');
    await expect(toasts(page)).toContainText(`Created the process point “${name}”`);
    await press(page, '/');
    await enter(page, name);
    await expect(rows(page, 'Process points')).toHaveCount(1);
    await press(page, 'j');
    await press(page, 'Enter');
    await expect(panel).toBeVisible();
  });

  await test.step('assigns the device', async () => {
    await press(page, 'm');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type(NUMBER);
    await expect(palette(page).getByRole('option', { selected: true })).toContainText(NUMBER);
    await press(page, 'Enter');
    await press(page, 'Tab');
    await tabTo(page, page.getByRole('textbox', { name: 'From' }));
    await page.keyboard.type(monday);
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText(`to “${name}”`);
  });

  await test.step('shows its last value and its history', async () => {
    await press(page, '}');
    await expect(pressure).toBeFocused();
    await expect(pressure).toContainText(/[\d.]+\s*bar/);
    await press(page, 'Enter');
    await expect(chart).toBeVisible();
    await press(page, 'i');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await enter(page, `${monday}..now`);
    await expect(page.getByRole('list', { name: 'Trends' })).toContainText(/Pressure, from [\d.]+ bar/);
    await press(page, 'n');
    const times = chart.getByRole('table').getByRole('rowheader');
    await expect(times.first()).toBeVisible();
  });

  await test.step('shows the last pressure in a column of the devices', async () => {
    await press(page, 'Escape');
    await press(page, 'g d');
    await press(page, '/');
    await enter(page, NUMBER);
    const device = rows(page, 'Devices').first();
    await expect(device).toContainText(NUMBER);
    await expect(device).not.toContainText('bar');
    await press(page, 'Shift+S');
    await enter(page, 'pressure');
    await expect(page.getByRole('columnheader', { name: 'Pressure' })).toBeVisible();
    await expect(device).toContainText(/[\d.]+ bar/);
  });
  await expectNoPointer(page);
});

test('gives a new process point the history of a device in a terminal', async ({ baseURL }) => {
  const name = 'Yarrow 9 annulus C';
  const monday = lastMonday();
  const from = monday.toISOString().slice(0, 10);
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  const run = async (line: string): Promise<string> => {
    const { code, output, errors } = await quarterdeck(terminal, line);
    expect(code, errors).toBe(0);
    return output;
  };
  await run(`process-point create '${name}'`);
  expect(await run(`values --point '${name}' --from ${from} --csv`)).not.toContain(NUMBER);
  await run(`process-point assign-device '${name}' '${NUMBER}' --from ${from} --yes`);
  const [, ...lines] = (await run(`values --point '${name}' --field pressure --from ${from} --csv`)).trim().split('\n');
  const times = lines.map((line) => Date.parse(line.split(',')[0]!));
  expect(Math.min(...times) - monday.getTime()).toBeGreaterThanOrEqual(0);
  expect(Math.min(...times) - monday.getTime()).toBeLessThan(2 * DAY);
  expect(Date.now() - Math.max(...times)).toBeLessThan(DAY);
  expect(await run(`process-points '${name}' --columns name,pressure,devices`)).toMatch(/annulus C +[\d.]+ bar/);
});
