import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { skipSecondFactor } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import {
  acceptTerms,
  addAuthenticator,
  createAccount,
  fillSignIn,
  createNewcomer,
  nextCode,
  signOut,
  verify,
} from './support/newcomer.ts';
import { readSmsCode, followEmailLink } from './support/outbox.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(({ page }) => watchPointer(page));

test('signs up with a verified address, a second factor, and accepted terms', async ({ page }) => {
  const person = createNewcomer('Noor Haddad');

  await test.step("sees which password rules aren't met yet", async () => {
    await page.goto('/login');
    await tabTo(page, page.getByRole('link', { name: 'Create an account' }));
    await press(page, 'Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await enter(page, person.name);
    await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
    await page.keyboard.type(person.email);
    await press(page, 'Tab');
    await enter(page, 'ahoy');
    const password = page.getByRole('textbox', { name: 'Password' });
    await expect(password).toBeFocused();
    await expect(password).toHaveAccessibleDescription(/doesn.t meet all of the rules/);
    await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', 'Risky');
    const rule = page.getByRole('listitem').filter({ hasText: 'An uppercase letter' });
    await expect(rule.getByRole('img', { name: 'Not met yet' })).toBeVisible();
    await press(page, 'Control+a');
    await page.keyboard.type(person.password);
    await expect(rule.getByRole('img', { name: 'Met', exact: true })).toBeVisible();
    await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', 'Secure');
  });

  await test.step('verifies the address with the emailed link', async () => {
    await press(page, 'Enter');
    await expect(page.getByRole('status').first()).toContainText(`We sent a link to ${person.email}`);
    await verify(page, person);
  });

  await test.step('adds an authenticator app', async () => {
    await addAuthenticator(page);
    await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused();
    await press(page, 'Enter');
  });

  await test.step('must accept the terms', async () => {
    await expect(page.getByRole('region', { name: 'Terms and conditions' })).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Accept and continue' }));
    await press(page, 'Enter');
    await expect(page.getByRole('alert')).toHaveText('You must accept terms and conditions.');
    await expect(page.getByRole('checkbox')).toBeFocused();
    await acceptTerms(page);
  });

  await expect(page.getByRole('textbox', { name: 'Organization ID' })).toBeVisible();
  await expectNoPointer(page);
});

test("skips the second factor and isn't prompted again in this browser", async ({ page }) => {
  const person = createNewcomer('Piet Hein');
  await createAccount(page, person);
  await verify(page, person);
  await skipSecondFactor(page);
  await acceptTerms(page);
  await signOut(page);
  await fillSignIn(page, person.email, person.password);
  await expect(page).toHaveURL(/\/organization\/requests/);
  await expectNoPointer(page);
});

test('going back after signing in skips the steps of signing in', async ({ page }) => {
  const person = createNewcomer('Inge Lehmann');
  await page.goto('/outbox');
  await createAccount(page, person);
  await verify(page, person);
  await skipSecondFactor(page);
  await acceptTerms(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/outbox$/);
});

test('replaces the password set by an administrator', async ({ page, baseURL }) => {
  const person = createNewcomer('Kees Vos');
  const passwordFile = join(await mkdtemp(join(tmpdir(), 'quarterdeck-password-')), 'password');
  await writeFile(passwordFile, person.password);
  const administrator = await signInTerminal(baseURL ?? '', 'administrator');
  const { code, errors } = await quarterdeck(
    administrator,
    `user create ${person.email} '${person.name}' --roles viewer --password @${passwordFile} --change-password --send-verification --yes`,
  );
  expect(code, errors).toBe(0);
  await page.goto('/login');
  await fillSignIn(page, person.email, person.password);
  await verify(page, person);
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  const password = page.getByRole('textbox', { name: 'New password' });
  await expect(password).toBeFocused();
  await enter(page, person.password);
  await expect(page.getByRole('alert')).toContainText('This is your current password');
  await expect(password).toBeFocused();
  await press(page, 'Control+a');
  await enter(page, `${person.password}-another`);
  await skipSecondFactor(page);
  await acceptTerms(page, /\/devices/);
});

test('can resend the email after five seconds, even after signing in again', async ({ page }) => {
  const person = createNewcomer('Ines Duarte');
  await createAccount(page, person);
  await expect(page.getByRole('button', { name: /^Send the link again in \d s$/ })).toBeVisible();
  const resendButton = page.getByRole('button', { name: 'Send the link again', exact: true });
  await tabTo(page, resendButton);
  await press(page, 'Enter');
  await expect(page.getByRole('status').first()).toContainText(`We sent another link to ${person.email}`);
  await signOut(page);
  await fillSignIn(page, person.email, person.password);
  await expect(page.getByRole('heading', { name: 'Verify your email address' })).toBeVisible();

  const linkPage = await followEmailLink(page.context(), person.email, 'Verify your email address');
  await expect(linkPage.getByRole('status')).toContainText(`${person.email} is verified.`);
  expect(linkPage.url()).not.toContain('oobCode');
  await expect(linkPage.getByRole('button', { name: 'Continue' })).toBeFocused();
  await press(linkPage, 'Enter');
  await expect(linkPage.getByRole('heading', { name: 'Second factor' })).toBeVisible();
  await expectNoPointer(page);
});

test('signs in with a code from an app or a text message and removes a factor', async ({ page }) => {
  const person = createNewcomer('Ole Nygård');
  const phone = '+31612345678';
  await createAccount(page, person);
  await verify(page, person);
  const app = await addAuthenticator(page);

  await test.step('adds a phone', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Add a phone for text messages' }));
    await press(page, 'Enter');
    await enter(page, '06 12345678');
    await expect(page.getByRole('alert')).toContainText('with its country code');
    await press(page, 'Control+a');
    await enter(page, '+31 6 12345678');
    await expect(page.getByRole('textbox', { name: 'Code from the message' })).toBeFocused();
    await page.keyboard.type(await readSmsCode(page.context(), phone));
    await expect(page.getByRole('list', { name: 'Your second factors' }).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('signs in with the app', async () => {
    await signOut(page);
    await fillSignIn(page, person.email, person.password);
    await expect(page.getByRole('textbox', { name: 'Code from the app' })).toBeFocused();
    await page.keyboard.type('000000');
    await expect(page.getByRole('alert')).toContainText("The code isn't correct.");
    await press(page, 'Control+a');
    await page.keyboard.type(nextCode(app));
    await acceptTerms(page);
  });

  await test.step('signs in with a text message', async () => {
    await signOut(page);
    await fillSignIn(page, person.email, person.password);
    await expect(page.getByRole('textbox', { name: 'Code from the app' })).toBeFocused();
    await tabTo(page, page.getByRole('combobox', { name: 'Verify with' }));
    await press(page, 'ArrowDown');
    await tabTo(page, page.getByRole('button', { name: 'Send a code' }));
    await press(page, 'Enter');
    await expect(page.getByRole('textbox', { name: 'Code from the message' })).toBeFocused();
    await page.keyboard.type(await readSmsCode(page.context(), phone));
    await expect(page).toHaveURL(/\/organization\/requests/);
    // The sign-in is stored by now, so leaving the page does not lose it.
    await expect(page.getByRole('heading', { name: 'Join an organization' })).toBeVisible();
  });

  await test.step('removes the phone', async () => {
    await page.goto('/login/mfa/enroll');
    await tabTo(page, page.getByRole('button', { name: /^Remove Text message/ }));
    await press(page, 'Enter');
    await expect(page.getByRole('button', { name: /^Really remove Text message/ })).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByRole('list', { name: 'Your second factors' }).getByRole('listitem')).toHaveCount(1);
  });
  await expectNoPointer(page);
});
