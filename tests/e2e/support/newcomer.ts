import { type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';

import { expect } from './expect.ts';
import { enter, press, tabTo } from './keyboard.ts';
import { followEmailLink } from './outbox.ts';

/** A first-time user. */
export interface Newcomer {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

let count = 0;

/** Returns a person that no previous test has used. */
export function createNewcomer(name: string): Newcomer {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${Date.now()}.${++count}@example.com`;
  return { name, email, password: 'Ahoy-crew-of-2' };
}

/** Creates an account in the console. Ends at the screen that waits for the verification. */
export async function createAccount(page: Page, { name, email, password }: Newcomer): Promise<void> {
  await page.goto('/login/create');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type(name);
  await press(page, 'Tab');
  await page.keyboard.type(email);
  await press(page, 'Tab');
  await enter(page, password);
  await expect(page.getByRole('heading', { name: 'Verify your email address' })).toBeVisible();
}

/** Follows the link in the verification email in another tab; `page` continues automatically. */
export async function verify(page: Page, { email }: Newcomer): Promise<void> {
  const linkPage = await followEmailLink(page.context(), email, 'Verify your email address');
  await expect(linkPage.getByRole('status')).toContainText(`${email} is verified.`);
  await linkPage.close();
  await page.bringToFront();
  await expect(page).not.toHaveURL(/email-verification/);
}

/** Types email and password into the sign-in form. */
export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await tabTo(page, page.getByRole('textbox', { name: 'Email' }));
  await press(page, 'Control+a');
  await page.keyboard.type(email);
  await press(page, 'Tab');
  await press(page, 'Control+a');
  await enter(page, password);
}

/** Adds an authenticator app, like a phone that reads the secret. Ends at the list of factors. */
export async function addAuthenticator(page: Page): Promise<TOTP> {
  await tabTo(page, page.getByRole('button', { name: 'Add an authenticator app' }));
  await press(page, 'Enter');
  const secret = await page.getByRole('code').innerText();
  const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) });
  await expect(page.getByRole('textbox', { name: 'Code from the app' })).toBeFocused();
  await page.keyboard.type(app.generate());
  await expect(page.getByRole('list', { name: 'Your second factors' })).toContainText('Authenticator app');
  return app;
}

/** Returns the app's next code because the previous one was used. */
export function nextCode(app: TOTP): string {
  return app.generate({ timestamp: Date.now() + app.period * 1000 });
}

/** Accepts the terms. Ends at the screen for joining an organization, or at `next`. */
export async function acceptTerms(page: Page, next = /\/organization\/requests/): Promise<void> {
  const terms = page.getByRole('heading', { name: 'Terms and conditions' });
  await expect(terms).toBeVisible();
  await tabTo(page, page.getByRole('checkbox', { name: 'I accept these terms and conditions' }));
  await press(page, 'Space');
  await tabTo(page, page.getByRole('button', { name: 'Accept and continue' }));
  await press(page, 'Enter');
  await expect(page).toHaveURL(next);
  await expect(terms).toBeHidden();
}

export async function signOut(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}
