import { findViolations } from './support/axe.ts';
import { enter, press, tabTo } from './support/keyboard.ts';
import {
  acceptTerms,
  addAuthenticator,
  createAccount,
  fillSignIn,
  createNewcomer,
  signOut,
} from './support/newcomer.ts';
import { followEmailLink } from './support/outbox.ts';
import { expect, test } from './support/test.ts';

test('every sign-in screen is accessible', async ({ page, context }) => {
  const check = (name: string, tab = page): Promise<void> =>
    test.step(name, async () => expect.soft(await findViolations(tab), name).toEqual([]));
  const person = createNewcomer('Axe');

  await page.goto('/login');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('alert')).toHaveCount(2);
  await check('sign in, with errors');
  await page.goto('/login/token');
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeFocused();
  await check('token');
  await page.goto('/login/forgot-password');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await check('forgot password');
  await enter(page, 'nobody.knows@example.com');
  await expect(page.getByRole('status')).toBeVisible();
  await check('forgot password, sent');
  await page.goto('/login/create');
  await expect(page.getByRole('list', { name: 'Password rules' })).toBeVisible();
  await press(page, 'Enter');
  await expect(page.getByRole('alert')).toHaveCount(3);
  await check('create an account, with errors');

  await createAccount(page, person);
  await check('verification, waiting');
  const linkPage = await followEmailLink(context, person.email, 'Verify your email address');
  await expect(linkPage.getByRole('button', { name: 'Continue' })).toBeFocused();
  await check('verification, done', linkPage);
  await linkPage.close();
  await page.bringToFront();
  await expect(page.getByRole('button', { name: 'Not now' })).toBeVisible();
  await check('second factor, offered');
  await tabTo(page, page.getByRole('button', { name: 'Add a phone for text messages' }));
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeFocused();
  await check('second factor, phone');
  await tabTo(page, page.getByRole('button', { name: 'Back' }));
  await press(page, 'Enter');
  await tabTo(page, page.getByRole('button', { name: 'Add an authenticator app' }));
  await press(page, 'Enter');
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await check('second factor, app');
  await tabTo(page, page.getByRole('button', { name: 'Back' }));
  await press(page, 'Enter');
  await addAuthenticator(page);
  await check('second factors');
  await press(page, 'Enter');
  await tabTo(page, page.getByRole('button', { name: 'Accept and continue' }));
  await press(page, 'Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await check('terms, with an error');
  await acceptTerms(page);

  await page.goto('/login/reset-password');
  await expect(page.getByRole('list', { name: 'Password rules' })).toBeVisible();
  await check('new password');
  await page.goto('/login/support');
  await expect(page.getByRole('heading', { name: 'Help desk' })).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await check('help desk');
  await signOut(page);
  await fillSignIn(page, person.email, person.password);
  await expect(page.getByRole('textbox', { name: 'Code from the app' })).toBeFocused();
  await check('second factor, required');
  await page.goto('/error');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  await check('error');
});
