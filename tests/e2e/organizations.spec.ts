import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import {
  palette,
  plan,
  rows,
  runFromPalette,
  signIn,
  skipSecondFactor,
  statusLine,
  table,
  toasts,
} from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { acceptTerms, createAccount, createNewcomer, verify } from './support/newcomer.ts';
import { readCreationToken } from './support/outbox.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

/** Creates an account and continues to the screen for users without an organization. */
async function signUp(page: Page, name: string): Promise<string> {
  const person = createNewcomer(name);
  await createAccount(page, person);
  await verify(page, person);
  await skipSecondFactor(page);
  await acceptTerms(page);
  await expect(organizationId(page)).toBeFocused();
  return person.email;
}

const organizationId = (page: Page) => page.getByRole('textbox', { name: 'Organization ID' });

test('requests to join by ID and enters once an administrator approves', async ({ page, baseURL }) => {
  await watchPointer(page);
  const email = await signUp(page, 'Ayla Demir');
  await enter(page, 'Northwind Energy');
  await expect(page.getByRole('alert')).toHaveText(
    'Please enter lowercase letters, numbers, dashes and underscores only.',
  );
  await expect(organizationId(page)).toHaveValue('Northwind Energy');
  await press(page, 'Control+a');
  await enter(page, 'northwind');
  const pendingRegion = page.getByRole('region', { name: 'Waiting for an administrator' });
  await expect(pendingRegion).toContainText('northwind');
  await expect(pendingRegion).toContainText('An administrator will approve or reject your request');
  await tabTo(page, pendingRegion.getByRole('button', { name: 'Check again' }));
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Still pending: ID northwind');
  const administrator = await signInTerminal(baseURL ?? '', 'administrator');
  const approval = await quarterdeck(administrator, `access-request approve ${email} --roles viewer --yes`);
  expect(approval.errors + approval.output).toContain('Let 1 person in');
  await press(page, 'Enter');
  await expect(statusLine(page)).toContainText('live');
  await expect(table(page, 'Devices')).toBeVisible();
  await expectNoPointer(page);
});

test('withdraws a request, then undoes it', async ({ page }) => {
  await signUp(page, 'Ivo Brandt');
  await enter(page, 'northwind');
  await tabTo(page, page.getByRole('button', { name: 'Withdraw' }));
  await press(page, 'Enter');
  await expect(page.getByRole('region', { name: 'Waiting for an administrator' })).toHaveCount(0);
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
  await press(page, 'u');
  await expect(page.getByRole('region', { name: 'Waiting for an administrator' })).toContainText('northwind');
});

test('accepts an invitation and enters the organization', async ({ page, baseURL }) => {
  const email = await signUp(page, 'Kira Novak');
  await tabTo(page, page.getByRole('link', { name: 'Invitations' }));
  await press(page, 'Enter');
  await expect(page.getByText('You have no invitations')).toBeVisible();
  await quarterdeck(await signInTerminal(baseURL ?? '', 'administrator'), `user invite ${email} viewer --yes`);
  await page.reload();
  await tabTo(page, page.getByRole('button', { name: 'Accept' }));
  await press(page, 'Enter');
  await expect(statusLine(page)).toContainText('live');
  await expect(table(page, 'Devices')).toBeVisible();
});

test('creates an organization with a token from support and opens its details', async ({ page, baseURL }) => {
  const email = await signUp(page, 'Mats Lind');
  await tabTo(page, page.getByRole('link', { name: 'Create one with a token' }));
  await press(page, 'Enter');
  await expect(page.getByLabel('Token from support')).toBeFocused();
  await page.keyboard.type('not a token');
  await press(page, 'Tab');
  await page.keyboard.type('lind-marine');
  await press(page, 'Tab');
  await page.keyboard.type('Mats Lind');
  await press(page, 'Tab');
  await enter(page, email);
  await expect(page.getByRole('alert')).toHaveText('The token value is not valid.');
  const support = await signInTerminal(baseURL ?? '', 'support');
  await quarterdeck(support, `support issue-creation-token ${email} --yes`);
  const token = await readCreationToken(page.context(), email);
  await page.bringToFront();
  await expect(page.getByLabel('Token from support')).toBeFocused();
  await press(page, 'Control+a');
  await enter(page, token);
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Create the organization lind-marine');
  await press(page, 'Enter');
  await expect(statusLine(page)).toContainText('live');
  await expect(page).not.toHaveURL(new RegExp(token));
  await press(page, 'g Shift+O');
  await expect(page.getByRole('region', { name: 'Contact' })).toContainText(email);
});

test('creates, edits, and deletes a sub-organization', async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g o');
  await expect(rows(page, 'Organizations').first()).toBeVisible();
  await press(page, 'c o');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await press(page, 'Tab');
  await expect(organizationId(page)).toBeFocused();
  await page.keyboard.type('northwind-delta');
  await press(page, 'Tab');
  await page.keyboard.type('Northwind Delta');
  await press(page, 'Tab');
  await page.keyboard.type('Ann Ker');
  await press(page, 'Tab');
  await enter(page, 'ann@northwind.example');
  await expect(toasts(page)).toContainText('Created the organization Northwind Delta');
  const delta = rows(page, 'Organizations').filter({ hasText: 'northwind-delta' });
  await expect(delta).toBeVisible();

  await test.step('edits it', async () => {
    await runFromPalette(page, "organization edit '#northwind-delta' --city Delft", 'organization edit');
    await expect(toasts(page)).toContainText('Set city of 1 organization to Delft');
    await runFromPalette(page, 'organization open northwind-delta', 'organization open');
    await expect(page.getByRole('article', { name: 'Northwind Delta' })).toContainText('Delft');
    await press(page, 'Escape');
  });

  await test.step('deletes it after its name is typed', async () => {
    await runFromPalette(page, "organization delete '#northwind-delta'", 'organization delete');
    await expect(plan(page)).toContainText('Delete 1 organization');
    await expect(palette(page).getByRole('option', { name: /Type Northwind Delta/ })).toBeVisible();
    await enter(page, 'Northwind Delta');
    await expect(toasts(page)).toContainText('Deleted 1 organization');
    await expect(delta).toHaveCount(0);
  });
  await expectNoPointer(page);
});

test('the organization screens are accessible', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'g Shift+O');
  await expect(page.getByRole('region', { name: 'Billing' })).toBeVisible();
  expect.soft(await findViolations(page), 'organization info').toEqual([]);
  await press(page, 'e');
  await expect(
    page.getByRole('group', { name: 'Edit organization' }).getByLabel('City', { exact: true }),
  ).toBeVisible();
  expect.soft(await findViolations(page), 'edit organization').toEqual([]);
  for (const screen of ['requests', 'join', 'invites', 'create']) {
    await page.goto(`/organization/${screen}`);
    await expect(page.getByRole('link', { name: 'Go to the console' })).toBeVisible();
    expect.soft(await findViolations(page), screen).toEqual([]);
  }
});
