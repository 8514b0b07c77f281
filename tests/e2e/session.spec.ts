import type { Page } from '@playwright/test';

import { expectFiltered, rows, runFromPalette, signIn, signInHere, statusLine, table } from './support/console.ts';
import { enter, press, tabTo } from './support/keyboard.ts';
import { getPerson } from './support/people.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' });

/** Creates a token for the organization on the command line. */
async function createToken(server: string, name: string): Promise<string> {
  const terminal = await signInTerminal(server, 'administrator');
  const result = await quarterdeck(terminal, `token create '${name}' --roles operator --json`);
  expect(result.code, result.errors).toBe(0);
  return (JSON.parse(result.output) as { reveal: { value: string } }).reveal.value;
}

async function signInWithToken(page: Page, token: string, path = '/login/token'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeFocused();
  await enter(page, token);
  await expect(statusLine(page)).toContainText('live');
}

test('signing in continues to the URL, with its filter and its panel', async ({ page }) => {
  await page.goto('/settings/tags?filter=type:well&panel[0]=tag/1');
  await signInHere(page, 'operator');
  await expect(table(page, 'Tags')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/tags\?filter=type:well&panel\[0\]=tag\/1$/);
});

for (const to of [
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/%2F%2Fevil.example',
  'javascript:alert(1)',
]) {
  test(`signing in does not redirect to ${to}`, async ({ page, baseURL }) => {
    const foreignUrls: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(baseURL ?? '')) foreignUrls.push(request.url());
    });
    await page.goto(`/login?redirect=${encodeURIComponent(to)}`);
    await signInHere(page, 'viewer');
    await expect(page).toHaveURL(`${baseURL}/devices`);
    expect(foreignUrls).toEqual([]);
  });
}

test('signing in with a token works, and signing out removes the token from every tab', async ({
  page,
  context,
  baseURL,
}) => {
  await signInWithToken(page, await createToken(baseURL ?? '', 'Two tabs'));
  const secondPage = await context.newPage();
  await secondPage.goto('/settings/tags');
  await expect(table(secondPage, 'Tags')).toBeVisible();
  await runFromPalette(page, 'sign out', 'Sign out');
  await expect(email(page)).toBeVisible();
  await expect(email(secondPage)).toBeVisible();
  await expect(secondPage).toHaveURL(/redirect=\/settings\/tags/);
  expect(await page.evaluate(() => window.localStorage.getItem('local-auth-token'))).toBeNull();
});

test('revoking a token in use ends the session, shows the reason, and keeps the destination', async ({
  page,
  baseURL,
}) => {
  await signInWithToken(page, await createToken(baseURL ?? '', 'Short-lived'));
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  expect(await quarterdeck(terminal, "token revoke 'Short-lived' --yes")).toMatchObject({ code: 0 });
  // The server also ends the stream, so the session can end before the key is pressed.
  await press(page, 'g t');
  await expect(email(page)).toBeVisible();
  await expect(page).toHaveURL(/\/login\?redirect=\/(devices|settings\/tags)$/);
  await expect(page.getByRole('status')).toContainText('Unknown API token. It was revoked');
  await expect(page.getByRole('grid')).toHaveCount(0);
});

test('ending a session elsewhere ends it here, and signing in again resumes', async ({ page, baseURL }) => {
  await signIn(page, 'operator');
  await press(page, 'g t');
  await expect(table(page, 'Tags')).toBeVisible();
  const terminal = await signInTerminal(baseURL ?? '', 'operator');
  expect(await quarterdeck(terminal, 'sign-in revoke-others --yes')).toMatchObject({ code: 0 });
  await press(page, 'g d');
  await expect(email(page)).toBeFocused();
  await expect(page.getByRole('status')).toContainText(
    'You ended this sign-in from another device or browser. Sign in again.',
  );
  await expect(page).toHaveURL(/\/login\?redirect=\/(devices|settings\/tags)$/);
  const { email: address, password } = getPerson('operator');
  await page.keyboard.type(address);
  await press(page, 'Tab');
  await enter(page, password);
  await expect(statusLine(page)).toContainText('live');
  await expect(page).toHaveURL(/\/(devices|settings\/tags)$/);
});

test('a user suspended while the console is open sees why', async ({ page, baseURL }) => {
  const { email: address } = getPerson('viewer');
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  await signIn(page, 'viewer');
  try {
    expect(await quarterdeck(terminal, `user suspend ${address} --yes`)).toMatchObject({ code: 0 });
    await press(page, 'g t');
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'Your access was suspended by an administrator of Northwind' });
    await expect(notice).toBeVisible();
    await expect(page.getByRole('grid')).toHaveCount(0);
  } finally {
    expect(await quarterdeck(terminal, `user unsuspend ${address} --yes`)).toMatchObject({ code: 0 });
  }
});

test('input survives the end of the session and is restored when the same person signs in', async ({
  page,
  baseURL,
}) => {
  const terminal = await signInTerminal(baseURL ?? '', 'operator');
  const endSession = async () => {
    expect(await quarterdeck(terminal, 'sign-in revoke-others --yes')).toMatchObject({ code: 0 });
  };
  await signIn(page, 'operator');
  await press(page, 'c t');
  await press(page, 'Tab');
  const form = page.getByRole('group', { name: 'Create tag' });
  await form.getByRole('textbox', { name: /^Name/ }).fill('Half a name');
  await endSession();
  // Any call reveals that the session has ended. Here, it is the call for the plan.
  await press(page, 'Control+Enter');
  await signInHere(page, 'operator');
  await expect(form.getByRole('textbox', { name: /^Name/ })).toHaveValue('Half a name');
  await press(page, 'Escape');

  await press(page, 'g d');
  await press(page, 'Enter');
  await page.getByRole('button', { name: 'Edit peripherals' }).click();
  const peripherals = page.getByRole('textbox', { name: /^Add/ });
  await peripherals.fill('antenna=half');
  await endSession();
  await press(page, 'Control+Enter');
  await signInHere(page, 'operator');
  await expect(peripherals).toHaveValue('antenna=half');
});

test('a call rejected with 401 is retried with a renewed token', async ({ page }) => {
  await signIn(page, 'operator');
  const renewals: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('securetoken.googleapis.com')) renewals.push(request.url());
  });
  let requests = 0;
  await page.route('**/hiber.tag.TagService/List', (route) =>
    requests++ === 0 ? route.fulfill({ status: 401 }) : route.continue(),
  );
  // A token that was issued in the same second is identical, so renewing it would end the session.
  await page.waitForTimeout(1000);
  await press(page, 'g t');
  await expect(rows(page, 'Tags').first()).toContainText(/\w/);
  expect(requests).toBeGreaterThan(1);
  expect(renewals).toHaveLength(1);
  await expect(page).toHaveURL(/\/settings\/tags$/);
});

test('a failing server signs the user out, but an unreachable one does not', async ({ page }) => {
  await signIn(page, 'operator');
  const currentUserRpc = '**/hiber.user.CurrentUserService/CurrentUser';
  await page.route(currentUserRpc, (route) => route.abort());
  await page.goto('/settings/tags');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  await page.unroute(currentUserRpc);
  await press(page, 'Enter');
  await expect(table(page, 'Tags')).toBeVisible();

  await page.route(currentUserRpc, (route) => route.fulfill({ status: 500 }));
  await page.goto('/settings/tags');
  await expect(email(page)).toBeFocused();
  await expect(page).toHaveURL(/\/login\?redirect=\/settings\/tags$/);
  await page.unroute(currentUserRpc);
});

test('a screen that fails to load reloads the whole page, once', async ({ page }) => {
  await page.goto('/login');
  await expect(email(page)).toBeFocused();
  let failures = 0;
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.route('**/assets/TokenLogin-*.js', (route) => (failures++ === 0 ? route.abort() : route.continue()));
  await tabTo(page, page.getByRole('link', { name: 'Sign in with a token' }));
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeFocused();
  await expect(page).toHaveURL(/\/login\/token$/);
  await expect.poll(() => loads).toBe(1);
});

test('URLs of items and their forms open the list with the panel', async ({ page }) => {
  await signIn(page, 'developer');
  await page.goto('/developer-tools/webhooks/1/history');
  await expect(page.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
  await page.goto('/developer-tools/webhooks/1/update');
  await expect(page.getByRole('group', { name: 'Edit webhook', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/developer-tools\/webhooks\?panel\[0\]=webhook\/1$/);
  await page.goto('/settings/tags/create');
  await expect(page.getByRole('group', { name: 'Create tag' })).toBeVisible();
  for (const path of ['/developer-tools/webhooks/abc/update', '/developer-tools/webhooks/999999/update']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/developer-tools\/webhooks$/);
  }
});

test('an unknown or inaccessible URL shows an error in place', async ({ page }) => {
  await signIn(page, 'viewer');
  const screen = page.getByRole('main');
  await page.goto('/developer-tools/tokens');
  await expect(screen).toContainText("You don't have access to this page");
  await expect(screen).toContainText('You need the “Manage API tokens” permission. An administrator');
  await expect(page).toHaveURL(/\/developer-tools\/tokens$/);
  await page.goto('/developer-tools/webhooks/4/update');
  await expect(screen).toContainText('You need the “Manage webhooks and other publishers” permission');
  await page.goto('/nothing/here?filter=x');
  await expect(screen).toContainText('Page not found');
  await expect(screen).toContainText('/nothing/here');
  await press(page, 'g d');
  await expect(table(page, 'Devices')).toBeVisible();
  await page.goto('/dashboard?filter=health:ERROR');
  await expect(page).toHaveURL(/\/devices\?filter=health:ERROR$/);
  await expectFiltered(page);
  await page.goto('/login/create');
  await expect(page).toHaveURL(/\/devices$/);
});

test('a user without an organization is asked to join one at any URL', async ({ page }) => {
  await page.goto('/settings/tags');
  await signInHere(page, 'newcomer');
  await expect(page).toHaveURL(/\/organization\/requests\?redirect=\/settings\/tags$/);
  await page.goto('/devices');
  await expect(page).toHaveURL(/\/organization\/requests\?redirect=\/devices$/);
  await page.goto('/login/token');
  await expect(page).toHaveURL(/\/organization\/requests$/);
});

test("a noun that can't be loaded shows a message, and loads on request", async ({ page }) => {
  let reloads = 0;
  await page.route('**/assets/role-*.js', (route) => route.abort());
  await signIn(page, 'administrator');
  page.on('load', () => (reloads += 1));
  const failure = page.getByText("Part of the console couldn't be loaded.");
  await expect(failure).toBeVisible();
  // Text typed for a palette that does not open runs no commands, now or later.
  await press(page, 'Control+k');
  await page.keyboard.type('go to roles');
  // Someone who keeps typing without looking presses Enter late.
  await page.waitForTimeout(1200);
  await press(page, 'Enter');
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(async () => {
    await press(page, 'ArrowDown');
    await expect(statusLine(page)).not.toContainText('A381 1C9D', { timeout: 500 });
  }).toPass();
  await expect(page).toHaveURL(/\/devices$/);
  await page.unroute('**/assets/role-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toBeHidden();
  await runFromPalette(page, 'go to roles', 'Go to roles');
  await expect(table(page, 'Roles')).toBeVisible();
  expect(reloads).toBe(0);
});

test('typing while offline leaves the page intact', async ({ page, context }) => {
  await signIn(page, 'viewer');
  await context.setOffline(true);
  await press(page, '/');
  await page.keyboard.type('health');
  await expect(page.getByRole('combobox', { name: 'Filter Devices' })).toHaveValue('health');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await context.setOffline(false);
  await page.keyboard.type(':');
  await expect(page.getByRole('option', { name: /^ERROR/i })).toBeVisible();
});
