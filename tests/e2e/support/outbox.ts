import { type BrowserContext, type Locator, type Page } from '@playwright/test';

import { expect } from './expect.ts';
import { press, tabTo } from './keyboard.ts';

/** Opens the outbox in a new tab and finds the newest email or text message to a person. */
async function openNewest(
  context: BrowserContext,
  recipient: string,
  subject: string,
): Promise<{ tab: Page; entry: Locator }> {
  const tab = await context.newPage();
  const entry = tab
    .getByRole('listitem')
    .filter({ hasText: `To ${recipient}` })
    .filter({ hasText: subject })
    .first();
  await expect(async () => {
    await tab.goto('/outbox');
    await expect(entry).toBeVisible({ timeout: 500 });
  }).toPass();
  return { tab, entry };
}

/** Follows the link in the newest email to a person, in its own tab. */
export async function followEmailLink(context: BrowserContext, email: string, subject: string): Promise<Page> {
  const { tab, entry } = await openNewest(context, email, subject);
  const link = entry.getByRole('link');
  if (!(await link.isVisible())) {
    await tabTo(tab, entry.locator('summary'));
    await press(tab, 'Enter');
  }
  await tabTo(tab, link);
  await press(tab, 'Enter');
  return tab;
}

/** Returns the code in the newest text message to a phone. */
export async function readSmsCode(context: BrowserContext, phone: string): Promise<string> {
  const { tab, entry } = await openNewest(context, phone, 'Verification code');
  const [code] = /\b\d{6}\b/.exec((await entry.textContent()) ?? '') ?? [];
  await tab.close();
  if (code === undefined) throw new Error(`No code in the message to ${phone}.`);
  return code;
}

/** Returns the creation token in the newest email to a person. */
export async function readCreationToken(context: BrowserContext, email: string): Promise<string> {
  const { tab, entry } = await openNewest(context, email, 'Create your organization');
  const [, token] = /enter this token:\s+(\S+)/.exec((await entry.textContent()) ?? '') ?? [];
  await tab.close();
  if (token === undefined) throw new Error(`No token in the email to ${email}.`);
  return token;
}
