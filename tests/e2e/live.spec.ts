import { rows, signIn, statusLine } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

test("a message updates its device's row without moving rows", async ({ page, baseURL }) => {
  await signIn(page, 'operator');
  await press(page, '3');
  await expect(page).toHaveURL(/filter=/);
  const row = rows(page, 'Devices').first();
  await expect(row.getByText(/^\d{2,} h/)).toBeVisible();
  const numbers = await rows(page, 'Devices').getByRole('gridcell').nth(2).allInnerTexts();
  await press(page, 'j');
  const active = page.getByRole('grid').locator('[aria-selected], [data-active]');
  const [number = ''] = numbers;

  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  expect(await quarterdeck(terminal, `device send-test-message '${number}' --yes`)).toMatchObject({ code: 0 });

  await expect(row).toContainText(number);
  await expect(row.getByText(/^\d+ s$/)).toBeVisible();
  expect(await rows(page, 'Devices').getByRole('gridcell').nth(2).allInnerTexts()).toEqual(numbers);
  await expect(active.first()).toBeVisible();
});

test('tabs share one stream, and a second tab takes over when the first closes', async ({ page, context }) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/hiber.event.EventService/Stream')) streams.push(request.url());
  });
  await signIn(page, 'operator');
  const secondPage = await context.newPage();
  await secondPage.goto('/devices');
  await expect(statusLine(secondPage)).toContainText('live');
  expect(streams).toHaveLength(1);
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await expect(statusLine(secondPage)).toContainText('live');
});

test('the console fetches missed changes on reconnecting', async ({ page, context, baseURL }) => {
  const host = new URL(baseURL ?? '').host;
  const banner = page.getByRole('complementary').filter({ hasText: `Can't reach ${host}.` });
  const counts = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('button');
  await signIn(page, 'operator');
  await press(page, '3');
  const row = rows(page, 'Devices').nth(1);
  await expect(row.getByText(/^\d{2,} h/)).toBeVisible();
  const number = await row.getByRole('gridcell').nth(2).innerText();
  await expect(counts('Devices by health')).toHaveCount(3);
  const numbers = await rows(page, 'Devices').getByRole('gridcell').nth(2).allInnerTexts();
  const lastCounts = await counts('Devices by health').allInnerTexts();
  await page.route('**/{hiber,quarterdeck}.*/*', (route) => route.abort());
  // An attempt to reach the server gets no response, and then times out.
  await page.route('**/quarterdeck.server.v1.ServerService/Info', () => undefined);
  await press(page, 'Shift+L');
  await expect(statusLine(page)).toContainText('reconnecting');
  await expect(banner.getByRole('alert')).toHaveText(`Can't reach ${host}.`);
  await expect(banner).toContainText(/Next try in [1-3] s/);
  await expect(banner).toContainText('Trying now…');
  const staleCounts = counts('Devices by health, before the connection was lost');
  await expect(staleCounts).toHaveText(lastCounts);
  expect(await rows(page, 'Devices').getByRole('gridcell').nth(2).allInnerTexts()).toEqual(numbers);
  await page.unrouteAll();
  await expect(banner).toHaveCount(0);
  await expect(counts('Devices by health')).toHaveCount(3);
  await expect(statusLine(page)).toContainText('live');

  await context.setOffline(true);
  await expect(statusLine(page)).toContainText('reconnecting');
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  expect(await quarterdeck(terminal, `device send-test-message '${number}' --yes`)).toMatchObject({ code: 0 });
  await context.setOffline(false);
  await expect(statusLine(page)).toContainText('live');
  await expect(page.getByRole('grid').getByText(number)).toHaveCount(0);
});
