import type { Page } from '@playwright/test';

import {
  filterDevices,
  matchCount,
  newestToast,
  palette,
  plan,
  rows,
  runFromPalette,
  signIn,
} from './support/console.ts';
import { press } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, newContext, test } from './support/test.ts';

// Two people change the same devices. Nobody's change is lost unseen, and both see what happened without reloading.

const editForm = (page: Page) => page.getByRole('group', { name: 'Edit device', exact: true });
const row = (page: Page, name: string) => rows(page, 'Devices').filter({ hasText: name });

test('two consoles that change the same devices lose nothing and see each other', async ({
  page: dana,
  baseURL,
  browser,
}) => {
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  // Names of their own, because an earlier attempt may have left its devices.
  const word = `twin${Date.now()}`;
  const [first, second, third] = [1, 2, 3].map((number) => `${word} ${number}`) as [string, string, string];
  const created = await quarterdeck(terminal, `device create '${first},${second},${third}' --yes`);
  expect(created.code, created.errors).toBe(0);
  const context = await newContext(browser, baseURL === undefined ? {} : { baseURL });
  const anna = await context.newPage();
  await signIn(dana, 'administrator');
  await signIn(anna, 'operator');
  for (const page of [dana, anna]) {
    await filterDevices(page, word);
    await expect(matchCount(page)).toHaveText('3 devices');
  }

  await test.step('a form shows the value that someone else entered before it overwrites it', async () => {
    await runFromPalette(dana, `device open '${first}'`, 'device open');
    await expect(dana.getByRole('article', { name: first })).toBeVisible();
    await press(dana, 'e');
    const notes = editForm(dana).getByRole('textbox', { name: 'Notes', exact: true });
    await notes.focus();
    await dana.keyboard.type('Dana was here');
    await runFromPalette(anna, `device set-notes '${first}' 'Anna was first'`, 'device set-notes');
    await expect(newestToast(anna)).toContainText('Set notes of 1 device');
    await press(dana, 'Control+Enter');
    await expect(editForm(dana).getByRole('alert')).toContainText('Changed to “Anna was first” since you opened');
    await press(dana, 'Control+Enter');
    await expect(newestToast(dana)).toContainText('Set notes of 1 device');
    await expect(editForm(dana)).toHaveCount(0);
  });

  await test.step('an open panel follows, and undo asks before it overwrites a later change', async () => {
    await runFromPalette(anna, `device open '${first}'`, 'device open');
    await expect(anna.getByRole('article', { name: first })).toContainText('Dana was here');
    await press(anna, 'u');
    await expect(plan(anna)).toContainText(`Changed since: ${first}. Undo overwrites those changes too.`);
    await expect(plan(anna)).toContainText('Dana was here');
    await press(anna, 'Escape');
    await press(anna, 'Escape');
    await runFromPalette(dana, `device rename '${first}' '${first} renamed'`, 'device rename');
    await expect(row(anna, `${first} renamed`)).toHaveCount(1);
    await press(dana, 'Escape');
  });

  await test.step('a plan follows what others change while it is read', async () => {
    await press(anna, '* l');
    await anna.keyboard.type('pau');
    await expect(plan(anna)).toContainText('Set lifecycle of 3 devices to Paused');
    await expect(plan(anna)).toContainText('Ready to install → Paused');
    await expect(plan(anna)).not.toContainText('Spare');
    await runFromPalette(dana, `device set-lifecycle '${second}' SPARE`, 'device set-lifecycle');
    await expect(newestToast(dana)).toContainText('to Spare');
    await expect(plan(anna)).toContainText('Spare → Paused');
    await press(anna, 'Enter');
    await expect(newestToast(anna)).toContainText('Set lifecycle of 3 devices to Paused');
    await expect(dana.getByRole('grid').getByText('Paused', { exact: true })).toHaveCount(3);
  });

  await test.step('undo restores what each device had, also what someone else had set', async () => {
    await press(anna, 'u');
    await expect(row(anna, second)).toContainText('Spare');
    await expect(row(dana, second)).toContainText('Spare');
    await expect(row(dana, third)).toContainText('Ready to install');
  });

  await test.step('tags of both stay', async () => {
    const tag = (page: Page, name: string) =>
      runFromPalette(page, `tag assign '${third}' --tag '${name}'`, 'tag assign');
    await Promise.all([tag(dana, 'Winterized'), tag(anna, 'Delaware basin')]);
    for (const page of [dana, anna]) {
      await expect(newestToast(page)).toContainText('Assigned');
      await expect(row(page, third)).toContainText('Winterized');
      await expect(row(page, third)).toContainText('Delaware basin');
    }
  });

  await test.step('a device that someone else transfers leaves the list', async () => {
    await runFromPalette(dana, `transfer start '${second},${third}' northwind-permian --acknowledge`, 'transfer start');
    await expect(palette(dana)).toContainText('Type 2 to confirm');
    await dana.keyboard.type('2');
    await press(dana, 'Enter');
    await expect(newestToast(dana)).toContainText('Transferred 2 devices');
    for (const page of [dana, anna]) await expect(matchCount(page)).toHaveText('1 device');
    await runFromPalette(dana, `transfer start '${first} renamed' northwind-permian --acknowledge`, 'transfer start');
    await expect(palette(dana)).toContainText(/Type .* to confirm/);
    const [, number = ''] = /Type (.*) to confirm/.exec(await palette(dana).innerText()) ?? [];
    await dana.keyboard.type(number);
    await press(dana, 'Enter');
    for (const page of [dana, anna]) await expect(matchCount(page)).toHaveText('0 devices');
  });
  await context.close();
});
