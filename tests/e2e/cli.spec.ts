import {
  readClipboard,
  expectFiltered,
  filterDevices,
  matchCount,
  numberIn,
  palette,
  plan,
  runFromPalette,
  signIn,
  table,
  toasts,
} from './support/console.ts';
import { enter, press, tabTo } from './support/keyboard.ts';
import { quarterdeck, startReceiver, typeLine, type Receiver, type Terminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

const SECRET = 'a webhook secret';
let receiver: Receiver;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
test.beforeAll(async () => {
  receiver = await startReceiver(SECRET);
});
test.afterAll(() => receiver.stop());

test('does the same work in a terminal with lines copied from the console', async ({ page, baseURL }) => {
  await signIn(page, 'administrator');

  let terminal: Terminal = { server: baseURL ?? '', token: '' };
  await test.step('creates a token in the console, which shows it only once', async () => {
    await press(page, 'c k');
    await page.keyboard.type('Terminal');
    await expect(plan(page)).toContainText('Its secret is shown only once');
    await press(page, 'Tab');
    const form = page.getByRole('group', { name: 'Create token' });
    await tabTo(page, form.getByRole('combobox', { name: 'Roles' }));
    await page.keyboard.type('admin');
    await expect(page.getByRole('option', { name: /^administrator/i })).toBeVisible();
    await press(page, 'Enter');
    await press(page, 'Control+Enter');
    const tokenDialog = page.getByRole('dialog', { name: 'Token Terminal' });
    await expect(tokenDialog.getByRole('button', { name: 'Copy' })).toBeFocused();
    await press(page, 'Enter');
    await expect(tokenDialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    terminal = { ...terminal, token: await readClipboard(page) };
    expect(terminal.token).toBe(await tokenDialog.getByRole('status').innerText());
    await press(page, 'Escape');
    await expect(tokenDialog).toBeHidden();
    await press(page, 'g k');
    await expect(table(page, 'Tokens')).toContainText('Terminal');
    await expect(page.getByText(terminal.token)).toHaveCount(0);
  });

  let line = '';
  await test.step('copies the command line of a plan that has not run', async () => {
    await press(page, 'g d');
    await filterDevices(page, 'health:ERROR');
    await expectFiltered(page);
    await press(page, '* t');
    await page.keyboard.type('Seen from a terminal');
    await expect(plan(page)).toContainText('Assign “Seen from a terminal”');
    await press(page, 'Control+c');
    await expect.poll(() => readClipboard(page)).toMatch(/^tag assign/);
    line = await readClipboard(page);
    expect(line).toBe("tag assign health:ERROR --tag 'Seen from a terminal'");
    await press(page, 'Escape');
    await expect(palette(page)).toBeHidden();
  });

  let taggedCount = 0;
  let undo = '';
  await test.step('runs it in the terminal, and the console shows the result', async () => {
    const planResult = await quarterdeck(terminal, `${line} --plan`);
    expect(planResult.output).toContain('in Northwind Energy');
    expect(planResult.output).toContain('It can be undone.');
    const rejection = await quarterdeck(terminal, line);
    expect(rejection).toMatchObject({ code: 2 });
    expect(rejection.errors).toContain('Add --yes');

    const result = await quarterdeck(terminal, `${line} --yes`);
    expect(result).toMatchObject({ code: 0 });
    const [message = ''] =
      /Assigned “Seen from a terminal” to [\d,]+ devices/.exec(result.output + result.errors) ?? [];
    taggedCount = numberIn(message);
    expect(taggedCount).toBeGreaterThan(100);
    [, undo = ''] = /^undo: (.*)$/m.exec(result.output + result.errors) ?? [];
    await filterDevices(page, 'tag:"Seen from a terminal"');
    await expect(matchCount(page)).toHaveText(`${taggedCount} devices`);
  });

  await test.step('undoes it with the line that the terminal printed, and repeats it', async () => {
    expect(undo).toBe('npx quarterdeck undo');
    expect(await typeLine(terminal, undo)).toMatchObject({ code: 0 });
    await expect(matchCount(page)).toHaveText('0 devices');
    expect(await quarterdeck(terminal, `${line} --yes`)).toMatchObject({ code: 0 });
    await expect(matchCount(page)).toHaveText(/^\d{3} devices$/);
  });

  await test.step('creates the webhook with the line copied from the form and gets a signed call', async () => {
    await press(page, 'c w');
    await page.keyboard.type(receiver.url);
    await press(page, 'Tab');
    const form = page.getByRole('group', { name: 'Create webhook' });
    await tabTo(page, form.getByRole('combobox', { name: 'Events', exact: true }));
    await page.keyboard.type('message received');
    await expect(page.getByRole('option', { name: 'Message received' })).toBeVisible();
    await press(page, 'Enter');
    await tabTo(page, form.getByRole('combobox', { name: 'Tags to listen to' }));
    await page.keyboard.type('Seen');
    await expect(page.getByRole('option', { name: 'Seen from a terminal' })).toBeVisible();
    await press(page, 'Enter');
    await tabTo(page, form.getByLabel('Secret'));
    await page.keyboard.type(SECRET);
    await tabTo(page, form.getByRole('button', { name: 'Copy line' }));
    await press(page, 'Enter');
    await expect.poll(() => readClipboard(page)).toMatch(/^webhook create/);
    const copiedLine = await readClipboard(page);
    expect(copiedLine).toBe(
      `webhook create ${receiver.url} --events MESSAGE_RECEIVED --tags 'Seen from a terminal' --secret @ask`,
    );
    await press(page, 'Escape');
    const rejection = await quarterdeck(terminal, copiedLine);
    expect(rejection.errors).toContain("Can't prompt for “Secret” here");

    expect(await quarterdeck(terminal, copiedLine.replace('@ask', `'${SECRET}'`))).toMatchObject({ code: 0 });
    const activeDevices = await quarterdeck(terminal, `devices 'tag:"Seen from a terminal" last<1d' --limit 1 --json`);
    const { items } = JSON.parse(activeDevices.output) as { items: { number: string }[] };
    await quarterdeck(terminal, `device send-test-message '${items[0]?.number}' --yes`);
    await expect.poll(() => receiver.lines().join('\n'), { timeout: 60_000 }).toContain('signature OK');
  });

  await test.step('lists the tagged devices as text, and the webhook as JSON', async () => {
    const listResult = await quarterdeck(terminal, `devices 'tag:"Seen from a terminal"' --limit 3`);
    expect(listResult.output).toContain('Seen from a terminal');
    const json = await quarterdeck(terminal, `webhooks --json`);
    expect(JSON.stringify(JSON.parse(json.output))).toContain(receiver.url);
    expect(json.output).not.toContain(SECRET);
  });

  await test.step('the terminal stops working once its token is revoked', async () => {
    await press(page, 'g k');
    await expect(table(page, 'Tokens')).toContainText('Terminal');
    await runFromPalette(page, 'token revoke Terminal', 'token revoke Terminal');
    await expect(plan(page)).toContainText("can't be undone");
    await expect(palette(page).getByRole('combobox')).toHaveAttribute('placeholder', 'Type Terminal to confirm');
    await enter(page, 'Terminal');
    await expect(toasts(page)).toContainText('Revoked 1 token');
    expect(await quarterdeck(terminal, 'devices')).toMatchObject({ code: 4 });
  });
});
