import { skipSecondFactor, statusLine, table } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { acceptTerms, createAccount, fillSignIn, createNewcomer, signOut, verify } from './support/newcomer.ts';
import { followEmailLink } from './support/outbox.ts';
import { getPerson } from './support/people.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(({ page }) => watchPointer(page));
test.afterEach(({ page }) => expectNoPointer(page));

test('shows errors, keeps the typed text, and continues to the destination', async ({ page }) => {
  const { email, password } = getPerson('viewer');
  await page.goto('/settings/tags');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('alert')).toHaveText(['Please enter a valid email.', 'Please enter a value.']);
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription('Please enter a valid email.');

  await fillSignIn(page, email, 'not it');
  await expect(page.getByRole('alert')).toHaveText('Your email or password is not correct.');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused();
  await press(page, 'Tab');
  await expect(page.getByRole('button', { name: 'Show Password' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('not it');

  await fillSignIn(page, email, password);
  await skipSecondFactor(page);
  await expect(table(page, 'Tags')).toBeVisible();
});

test("doesn't reveal who has an account", async ({ page }) => {
  for (const email of [getPerson('viewer').email, 'nobody.knows@example.com']) {
    await page.goto('/login');
    await fillSignIn(page, email, 'not it');
    await expect(page.getByRole('alert')).toHaveText('Your email or password is not correct.');
    await tabTo(page, page.getByRole('link', { name: 'Forgot password?' }));
    await press(page, 'Enter');
    await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
    await enter(page, email);
    await expect(page.getByRole('status')).toContainText(`If there is an account for ${email}, we sent it a link`);
  }
});

test('resets a forgotten password with an emailed link that works only once', async ({ page }) => {
  const person = createNewcomer('Marie Curie');
  await createAccount(page, person);
  await verify(page, person);
  await skipSecondFactor(page);
  await acceptTerms(page);
  await signOut(page);

  await tabTo(page, page.getByRole('link', { name: 'Forgot password?' }));
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await enter(page, person.email);
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const linkPage = await followEmailLink(page.context(), person.email, 'Set a new password');
  await test.step('shows the account of a password reset and removes the code from the URL', async () => {
    await expect(linkPage.getByText(`For ${person.email}.`)).toBeVisible();
    await expect(linkPage.getByRole('textbox', { name: 'New password' })).toBeFocused();
    expect(linkPage.url()).not.toContain('oobCode');
    await linkPage.reload();
    await expect(linkPage.getByText(`For ${person.email}.`)).toBeVisible();
  });
  await test.step('signs in with the new password', async () => {
    await enter(linkPage, 'short');
    await expect(linkPage.getByRole('alert')).toHaveText("The password doesn't meet all of the rules.");
    await press(linkPage, 'Control+a');
    await enter(linkPage, 'Radium-and-polonium-2');
    await expect(linkPage).toHaveURL(/\/organization\/requests/);
    await signOut(linkPage);
    await fillSignIn(linkPage, person.email, person.password);
    await expect(linkPage.getByRole('alert')).toHaveText('Your email or password is not correct.');
    await fillSignIn(linkPage, person.email, 'Radium-and-polonium-2');
    await expect(linkPage).toHaveURL(/\/organization\/requests/);
    await signOut(linkPage);
  });
  const secondLinkPage = await followEmailLink(page.context(), person.email, 'Set a new password');
  await expect(secondLinkPage.getByRole('status')).toContainText('The link is not valid');
});

test('changes the password while signed in', async ({ page }) => {
  const person = createNewcomer('Grace Hopper');
  await createAccount(page, person);
  await verify(page, person);
  await skipSecondFactor(page);
  await acceptTerms(page);
  await page.goto('/login/reset-password');
  await expect(page.getByText(`For ${person.email}. You stay signed in.`)).toBeVisible();
  await enter(page, 'Nanoseconds-of-wire-9');
  await expect(page).toHaveURL(/\/organization\/requests/);
});

test('limits the number of wrong passwords', async ({ page }) => {
  const person = createNewcomer('Eve Mallory');
  await createAccount(page, person);
  await signOut(page);
  await fillSignIn(page, person.email, 'wrong 1');
  for (let attempt = 2; attempt <= 20; attempt++) {
    await expect(page.getByRole('alert')).toBeVisible();
    await press(page, 'Control+a');
    await enter(page, `wrong ${attempt}`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).not.toHaveAttribute('aria-disabled');
  }
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a moment, then try again.');
  await press(page, 'Control+a');
  await enter(page, person.password);
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a moment, then try again.');
});

test('signs in with a Google account in a pop-up', async ({ page, context }) => {
  const email = `google.${Date.now()}@example.com`;
  await page.goto('/login');
  const google = page.getByRole('button', { name: 'Continue with Google' });

  await test.step('closes the window', async () => {
    const popupOpens = context.waitForEvent('page');
    await tabTo(page, google);
    await press(page, 'Enter');
    const popup = await popupOpens;
    await expect(popup.getByRole('heading', { name: 'Sign in with a demo Google account' })).toBeVisible();
    await popup.close();
    await expect(page.getByRole('alert')).toHaveText('The authentication pop-up was closed before signing in.');
    await expect(google).toBeFocused();
  });
  await test.step('chooses an account', async () => {
    const popupOpens = context.waitForEvent('page');
    await press(page, 'Enter');
    const popup = await popupOpens;
    await tabTo(popup, popup.getByRole('textbox', { name: /email/i }));
    await popup.keyboard.type(email);
    await press(popup, 'Enter');
    await acceptTerms(page);
    await expect(page.getByText(`Signed in as ${email}`)).toBeVisible();
  });
});

test('signs in with an API token', async ({ page, baseURL }) => {
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  const result = await quarterdeck(terminal, "token create 'Signs in' --roles viewer --json");
  expect(result.code, result.errors).toBe(0);
  const { value } = (JSON.parse(result.output) as { reveal: { value: string } }).reveal;

  await page.goto('/login');
  await tabTo(page, page.getByRole('link', { name: 'Sign in with a token' }));
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeFocused();
  await enter(page, 'not a token');
  await expect(page.getByRole('alert')).toContainText('This token is not valid');
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeFocused();
  await press(page, 'Control+a');
  await enter(page, value);
  await expect(statusLine(page)).toContainText('live');
  expect(page.url()).not.toContain(value);
});

test('signs in to the help desk, without the token in any URL', async ({ page }) => {
  const { email, password, name } = getPerson('administrator');
  const visitedUrls: string[] = [];
  page.on('framenavigated', (frame) => visitedUrls.push(frame.url()));
  await page.goto('/login/support');
  await fillSignIn(page, email, password);
  await expect(page.getByRole('heading', { name: `Signed in to the help desk as ${name}` })).toBeVisible();
  expect(visitedUrls.filter((url) => /jwt=|token=|eyJ/.test(url))).toEqual([]);
});
