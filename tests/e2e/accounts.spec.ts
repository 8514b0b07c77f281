import type { Browser, Locator, Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import {
  matchCount,
  palette,
  plan,
  rows,
  runFromPalette,
  signIn,
  statusLine,
  table,
  toasts,
} from './support/console.ts';
import { enter, press } from './support/keyboard.ts';
import { getPerson } from './support/people.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, newContext, test } from './support/test.ts';

/** A name that an attacker might choose: an HTML element that runs a script. */
const MARKUP = '<img src=x onerror=alert(1)>';
/** A name with a character that reverses the reading order of the text after it. */
const REVERSED = `${MARKUP} \u202egnp.exe`;

const members = (page: Page): Locator => rows(page, 'Members');

async function filterMembers(page: Page, filter: string, count: number): Promise<void> {
  await press(page, 'g u');
  await expect(table(page, 'Members')).toBeVisible();
  await press(page, '/');
  await expect(page.getByRole('combobox', { name: 'Filter Members' })).toBeFocused();
  await page.keyboard.press('Control+a');
  await enter(page, filter);
  await expect(page).toHaveURL((url) => url.searchParams.get('filter') === filter);
  await expect(matchCount(page)).toHaveText(new RegExp(`^${count} `));
}

/** Returns a status message on the screen. */
const message = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });

/** Signs in as another person in a separate browser. */
async function signInElsewhere(
  browser: Browser,
  baseURL: string | undefined,
  kind: 'viewer' | 'operator',
): Promise<Page> {
  const context = await newContext(browser, baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await signIn(page, kind);
  return page;
}

/** Picks roles in the palette by name. Enter then runs the command. */
async function pickRoles(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await expect(palette(page).getByRole('combobox', { name: /Roles/ })).toBeFocused();
    await page.keyboard.type(name);
    await expect(palette(page).getByRole('option', { selected: true })).toContainText(name);
    await press(page, 'Enter');
    await expect(palette(page).getByRole('combobox', { name: /Roles/ })).toHaveValue('');
  }
  await expect(palette(page).getByRole('option', { selected: true })).toContainText(`Done: ${names.join(', ')}`);
}

test('invites several people with roles and lists their invitations', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'c u');
  await expect(palette(page).getByRole('combobox', { name: /Email addresses/ })).toBeFocused();
  await page.keyboard.type('skipper@harbour.example, mate@harbour.example');
  await expect(palette(page).getByRole('option', { selected: true })).toContainText('skipper@harbour.example');
  await press(page, 'Enter');
  await expect(palette(page).getByRole('option', { selected: true })).toContainText('Done');
  await press(page, 'Enter');
  await pickRoles(page, 'Operator', 'Installer');
  await expect(plan(page)).toContainText('Invite 2 addresses as Operator, Installer in Northwind Energy');
  await expect(plan(page)).toContainText("can't withdraw an invitation");
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Invited 2 addresses');
  await press(page, 'g n');
  const invitations = rows(page, 'Invitations');
  await expect(invitations.filter({ hasText: 'skipper@harbour.example' })).toBeVisible();
  await expect(invitations.filter({ hasText: 'mate@harbour.example' })).toBeVisible();
});

test('approves a join request with a role and rejects another', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'g q');
  const requests = rows(page, 'Requests');
  await expect(requests).toHaveCount(2);
  await press(page, '/');
  await enter(page, 'stijn');
  await expect(matchCount(page)).toHaveText(/^1 /);
  await press(page, 'r');
  await pickRoles(page, 'Viewer');
  await expect(plan(page)).toContainText('Approve 1 access request as Viewer in Northwind Energy');
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Let 1 person in');
  await expect(matchCount(page)).toHaveText(/^0 /);
  await filterMembers(page, 'stijn', 1);
  await expect(members(page)).toContainText('Viewer');
  await press(page, 'g q');
  await expect(requests).toHaveCount(1);
  await press(page, 'd');
  await expect(plan(page)).toContainText('Reject 1 access request');
  await expect(plan(page)).toContainText('They can ask again');
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Rejected 1 request');
  await expect(requests).toHaveCount(0);
});

test('changes the roles of three members in one plan and undoes it', async ({ page }) => {
  await signIn(page, 'administrator');
  await filterMembers(page, 'role:installer', 3);
  await press(page, '*');
  await expect(statusLine(page)).toContainText('→ 3 matching role:');
  await press(page, 'r');
  await pickRoles(page, 'Viewer', 'Operator');
  await expect(plan(page)).toContainText('Set the roles of 3 users in Northwind Energy');
  await expect(plan(page)).toContainText('Ibrahim Demir Roles + Viewer − Installer');
  await expect(plan(page)).toContainText('reversible');
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Set the roles of 3 users');
  await expect(matchCount(page)).toHaveText(/^0 /);
  await press(page, 'u');
  await expect(toasts(page)).toContainText('Undone: Set the roles of 3 users');
  await expect(matchCount(page)).toHaveText(/^3 /);
  await expect(members(page).filter({ hasText: 'Ibrahim Demir' })).toContainText('Operator, Installer');
});

test('suspends a user, explains the reason in their open console, and undoes it', async ({
  page,
  browser,
  baseURL,
}) => {
  const theirPage = await signInElsewhere(browser, baseURL, 'viewer');
  await signIn(page, 'administrator');
  await filterMembers(page, `email:${getPerson('viewer').email}`, 1);
  await press(page, 'p');
  await expect(toasts(page)).toContainText('Suspended 1 user');
  await expect(members(page)).toContainText('Suspended');
  await press(page, 'Enter');
  const actions = page.getByRole('article').getByRole('button', { name: /suspend/i });
  await expect(actions).toHaveText([/^Unsuspend/]);
  await press(page, 'Escape');
  await press(theirPage, 'g t');
  await expect(message(theirPage, 'Your access was suspended by an administrator of Northwind')).toBeVisible();
  await press(page, 'u');
  await expect(toasts(page)).toContainText('Unsuspended 1 user');
  await expect(members(page)).toContainText('Active');
  await theirPage.context().close();
});

test("shows a member's sessions in the panel and ends them", async ({ page, browser, baseURL }) => {
  const theirPage = await signInElsewhere(browser, baseURL, 'operator');
  await signIn(page, 'administrator');
  await filterMembers(page, `email:${getPerson('operator').email}`, 1);
  await press(page, 'Enter }');
  const panel = page.getByRole('article', { name: getPerson('operator').name });
  await expect(panel.getByRole('list', { name: 'Sessions' })).toContainText('Chrome');
  await press(page, '}');
  await expect(panel.getByRole('list', { name: 'Activity' }).getByRole('button').first()).toBeFocused();
  await press(page, 'Escape');
  await runFromPalette(page, '> sign users out', 'Sign user out everywhere');
  await expect(plan(page)).toContainText('Sign 1 user out everywhere');
  await expect(plan(page)).toContainText('API tokens keep working');
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Signed 1 user out everywhere');
  await press(theirPage, 'g t');
  await expect(message(theirPage, 'An administrator ended your sessions. Sign in again.')).toBeVisible();
  await theirPage.context().close();
});

test('shows in the frame which role is being tried out, until the roles are restored', async ({ page }) => {
  await signIn(page, 'developer');
  const rail = page.getByRole('navigation', { name: 'Screens' });
  await expect(rail.getByRole('link', { name: /Developer tools/ })).toBeVisible();
  await press(page, 'g r');
  await expect(rows(page, 'Roles').first()).toContainText('Viewer');
  await press(page, 'w');
  const band = page.getByRole('complementary', { name: 'Role preview' });
  await expect(band).toContainText('You are acting only as Viewer');
  await expect(rail.getByRole('link', { name: /Developer tools/ })).toHaveCount(0);
  await press(page, 'Shift+B');
  await expect(band).toHaveCount(0);
  await expect(rail.getByRole('link', { name: /Developer tools/ })).toBeVisible();
});

test('lists your own sessions and marks the current one', async ({ page, baseURL }) => {
  await signInTerminal(baseURL ?? '', 'administrator');
  await signIn(page, 'administrator');
  await press(page, 'g s');
  const sessions = rows(page, 'Sessions');
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1);
  await expect(sessions.filter({ hasText: 'This session' })).toContainText('Quarterdeck console');
  await press(page, 'd');
  await expect(plan(page)).toContainText('End 1 session');
  await press(page, 'Escape');
});

test('never interprets a name as markup', async ({ page, baseURL }) => {
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  // An account outlives its membership, so each run needs a new account.
  const address = `evil-${Date.now()}@northwind.example`;
  const rejection = await quarterdeck(terminal, `user create ${address} '${REVERSED}' --roles viewer --yes`);
  expect(rejection.errors).toContain('contains an invisible character (U+202E). Remove it.');
  expect(rejection.errors).not.toContain('\u202e');
  const result = await quarterdeck(terminal, `user create ${address} '${MARKUP}' --roles viewer --yes`);
  expect(result).toMatchObject({ code: 0 });
  expect((await quarterdeck(terminal, `users ${address}`)).output).toContain(MARKUP);
  page.on('dialog', (dialog) => {
    throw new Error(`A name ran as a script: ${dialog.message()}`);
  });
  await signIn(page, 'administrator');
  await filterMembers(page, `email:${address}`, 1);
  await expect(members(page)).toContainText(MARKUP);
  await press(page, 'Enter');
  await expect(page.getByRole('article', { name: MARKUP }).getByRole('heading', { name: MARKUP })).toBeVisible();
  await press(page, 'Escape Control+k');
  await page.keyboard.type(address);
  await expect(palette(page).getByRole('option').filter({ hasText: MARKUP })).toBeVisible();
  await press(page, 'Escape');
  await runFromPalette(page, '> remove users', 'Remove user');
  await expect(plan(page)).toContainText(MARKUP);
  await enter(page, address);
  await expect(toasts(page)).toContainText('Removed 1 user');
  await expect(matchCount(page)).toHaveText(/^0 /);
});

test('every account screen is accessible', async ({ page }) => {
  await signIn(page, 'administrator');
  for (const [keys, name] of [
    ['g u', 'Members'],
    ['g n', 'Invitations'],
    ['g q', 'Requests'],
    ['g r', 'Roles'],
    ['g s', 'Sessions'],
  ] as const) {
    await press(page, keys);
    await expect(table(page, name)).toBeVisible();
    await expect(matchCount(page)).toHaveText(/^[\d,]+ \w/);
    expect.soft(await findViolations(page), name).toEqual([]);
  }
  await press(page, 'g u');
  await expect(members(page).first()).toContainText('Dana Kowalski');
  await press(page, 'Enter');
  await expect(page.getByRole('article').getByText('Active sessions')).toBeVisible();
  expect.soft(await findViolations(page), 'panel').toEqual([]);
  await runFromPalette(page, '> go to sign-in rules', 'Go to sign-in rules');
  await expect(page.getByText('Requirements for members')).toBeVisible();
  expect.soft(await findViolations(page), 'sign-in rules').toEqual([]);
});
