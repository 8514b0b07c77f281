import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, moveTo, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

const definition = (type: string): string => `meta:
  id: bench_level
  endian: be
seq:
  - id: frame
    type: u1
  - id: level
    type: ${type}
`;
const LONG = `${definition('u8')}  - id: more\n    type: u8\n`;

/** Replaces the definition, as pasting a new one does. */
async function paste(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Definition' })).toBeFocused();
  await press(page, 'Control+a');
  await page.keyboard.insertText(text);
}

test.afterEach(async ({ baseURL }) => {
  // Other tests, and a retry, run on the same server.
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  await quarterdeck(terminal, 'me set-units --pressure AS_SENT');
  for (const parser of ['bench_level', 'Built level', 'shared_level']) {
    await quarterdeck(terminal, `parser delete '${parser}' --yes`);
  }
  await quarterdeck(terminal, "tag delete 'Bench gauges' --yes");
});

test("pastes, tries, saves, and assigns a definition by keyboard, and shows new values in the user's unit", async ({
  page,
  baseURL,
}) => {
  // Parses hundreds of messages.
  test.slow();
  const editor = page.getByRole('textbox', { name: 'Definition' });
  const bytes = page.getByLabel(/^\d+ bytes? by field$/);
  const result = page.getByRole('treegrid', { name: 'Result' });
  const stored = page.getByRole('treegrid', { name: 'Comparison of stored messages' });
  const save = page.getByRole('group', { name: 'Save', exact: true });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await runFromPalette(page, 'parser write', 'parser write');
  await expect(page).toHaveURL(/\/developer-tools\/parsers\/create/);

  await test.step('shows a mistake under its line', async () => {
    await paste(page, definition('nope'));
    await expect(editor.getByText(/Unable to find type 'nope'/)).toBeVisible();
    await expect(page.getByText('Error in line 8')).toBeVisible();
    await press(page, 'F6');
    await expect(editor).not.toBeFocused();
    await press(page, 'F8');
    await expect(editor).toBeFocused();
    await paste(page, definition('u2'));
    await expect(page.getByText('Definition is valid')).toBeVisible();
  });

  await test.step('shows the bytes, lines, and value of a field', async () => {
    const input = page.getByRole('textbox', { name: 'Paste bytes as hex' });
    for (let stops = 0; stops < 5 && !(await input.evaluate((field) => field === document.activeElement)); stops++) {
      await press(page, 'Shift+Tab');
    }
    await expect(input).toBeFocused();
    await page.keyboard.type('01 01 02');
    await expect(result).toContainText('258');
    await press(page, 'F6 F6');
    await expect(bytes).toBeFocused();
    await press(page, 'ArrowRight ArrowRight');
    await expect(bytes.getByRole('option', { selected: true })).toHaveAccessibleName(/01 ?02 ?level, bytes 1 to 2/);
    await expect(editor.locator('.cm-field-line')).toHaveCount(2);
    await expect(result.getByRole('row', { selected: true })).toContainText('level');
    await expect(page.getByRole('main')).toContainText('0000 0001 0000 0010');
  });

  await test.step('uploads it, once', async () => {
    await press(page, 'Control+Enter Control+Enter');
    await expect(toasts(page)).toContainText('bench_level');
    await expect(page).toHaveURL(/\/parsers\/parser-[0-9a-f]+\/update/);
    await expect(toasts(page)).not.toContainText('already has a parser');
    await page.reload();
    await expect(save).toContainText('No changes to save.');
  });

  await test.step('compares stored messages and opens a difference', async () => {
    await paste(page, LONG);
    const filter = page.getByRole('textbox', { name: 'Filter devices' });
    await press(page, 'F6 F6 F6');
    await expect(stored).toBeFocused();
    await press(page, 'Shift+Tab Shift+Tab Shift+Tab Shift+Tab');
    await expect(filter).toBeFocused();
    await page.keyboard.type('type:SENSOR');
    await press(page, 'Enter');
    await expect(page.getByText('20 now fail')).toBeVisible();
    await expect(page.getByText('20 of 20 stored messages would no longer parse')).toBeVisible();
    await press(page, 'Tab Tab Tab Tab');
    await expect(stored).toBeFocused();
    await press(page, 'n Enter');
    await expect(stored.getByRole('row', { expanded: true })).toContainText(
      /Field (level|more) at byte \d+: 8 bytes needed/,
    );
    await press(page, 'i');
    await expect(bytes).toContainText('fails here');
  });

  await test.step('saves a definition that parses all messages, after showing the plan', async () => {
    await press(page, 'F6');
    await paste(page, definition('u4'));
    await expect(page.getByText('20 changed')).toBeVisible();
    await expect(page.getByText('None of the 20 stored messages would stop parsing')).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await press(page, 'F6 F6 F6');
    await expect(stored).toBeFocused();
    await press(page, 'Shift+Tab Shift+Tab Shift+Tab');
    await page.keyboard.type('Last 500');
    await press(page, 'Tab Enter');
    await expect(page.getByText('None of the 500 stored messages would stop parsing')).toBeVisible({ timeout: 90_000 });
    await press(page, 'Alt+Enter');
    await expect(save).toContainText('reversible');
    await press(page, 'Control+Enter');
    await expect(save).toContainText('No changes to save.');
  });

  await test.step('declares a field, which the bench lists', async () => {
    await press(page, 'Shift+F6');
    await runFromPalette(
      page,
      "field create bench_level level --display-name 'Bench level' --unit PRESSURE_BAR",
      'field create',
    );
    await expect(toasts(page)).toContainText('Created the field “Bench level”');
    await tabTo(page, page.getByRole('button', { name: /^Fields/ }));
    await press(page, 'Enter');
    await expect(page.getByRole('region', { name: 'Fields' })).toContainText('Bench level');
  });

  await test.step("shows the result in the user's unit, beside the declared one", async () => {
    await press(page, '1');
    await expect(result.getByRole('row', { name: /^level [\d.]+ bar Bench level/ })).toBeVisible();
    await runFromPalette(page, 'me set-units --pressure PSI', 'me set-units');
    await expect(result.getByRole('row', { name: /^level [\d.]+ psi \d+ bar Bench level/ })).toBeVisible();
    expect.soft(await findViolations(page), 'result in the preferred unit').toEqual([]);
    await runFromPalette(page, 'me set-units --pressure AS_SENT', 'me set-units');
    await expect(result.getByRole('row', { name: /^level [\d.]+ bar Bench level/ })).toBeVisible();
  });

  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  const panel = page.getByRole('article');
  let number = '';
  await test.step('assigns it to a tag and lists it on a device with that tag', async () => {
    await press(page, 'g d');
    await press(page, '/');
    await enter(page, 'pressure lifecycle:INSTALLED sort:number');
    await expect(rows(page, 'Devices').first()).toBeVisible();
    await press(page, 'j Enter');
    await expect(page).toHaveURL(/device\/\w{4}/);
    number = /device\/(\w{4}[+ ]\w{4})/.exec(decodeURIComponent(page.url()))?.[1]?.replace('+', ' ') ?? '';
    await runFromPalette(page, "tag create 'Bench gauges' --type site", 'tag create');
    await expect(toasts(page)).toContainText('Bench gauges');
    await runFromPalette(page, `tag assign '${number}' --tag 'Bench gauges'`, 'tag assign');
    await expect(panel).toContainText('Bench gauges');
    await runFromPalette(page, "parser assign-to-tags 'Bench gauges' --parser bench_level", 'parser assign-to-tags');
    await expect(toasts(page)).toContainText('Assigned the parser “bench_level” to 1 tag');
    await tabTo(page, panel.getByRole('tab', { name: 'Overview' }));
    await moveTo(page, 'ArrowLeft', panel.getByRole('tab', { name: 'Parsers' }));
    await press(page, 'Enter');
    const parsers = panel.getByRole('list', { name: 'Parsers' });
    await expect(parsers.getByRole('button', { name: /bench_level.*Site Bench gauges/ })).toBeVisible();
    expect.soft(await findViolations(page), 'parsers of a device').toEqual([]);
  });

  await test.step("shows a new value in the user's unit", async () => {
    expect(await quarterdeck(terminal, 'me set-units --pressure PSI')).toMatchObject({ code: 0 });
    await tabTo(page, panel.getByRole('tab', { name: 'Parsers' }));
    await moveTo(page, 'ArrowRight', panel.getByRole('tab', { name: 'Values' }));
    await press(page, 'Enter');
    await expect(panel.getByRole('tab', { name: 'Values', selected: true })).toBeVisible();
    expect(await quarterdeck(terminal, `device send-test-message '${number}' 0100000102 --yes`)).toMatchObject({
      code: 0,
    });
    await expect(panel.getByRole('button', { name: /^Bench level.*3,?74[12].*psi/ })).toBeVisible();
  });

  await expectNoPointer(page);
});

test('builds a simple parser field by field from the keyboard', async ({ page }) => {
  const field = (number: number) => page.getByRole('group', { name: `Field ${number}`, exact: true });
  const nameOf = (number: number) => field(number).getByRole('textbox', { name: 'Name', exact: true });
  const result = page.getByRole('treegrid', { name: 'Result' });
  const save = page.getByRole('group', { name: 'Save', exact: true });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g Shift+P');
  await tabTo(page, page.getByRole('button', { name: /^Build a parser/ }));
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/developer-tools\/parsers\/create\/simple/);

  await test.step('adds, moves, duplicates, and removes fields', async () => {
    await expect(nameOf(1)).toBeFocused();
    await expect(save).toContainText('Describe the fields first.');
    await enter(page, 'frame');
    await expect(nameOf(2)).toBeFocused();
    await page.keyboard.type('level');
    await press(page, 'Tab');
    await page.keyboard.type('Unsigned, 2');
    await press(page, 'Shift+Tab Alt+ArrowUp');
    await expect(nameOf(1)).toHaveValue('level');
    await expect(nameOf(1)).toBeFocused();
    await press(page, 'Alt+ArrowDown Alt+Shift+ArrowDown');
    await page.keyboard.type('level');
    await expect(nameOf(3)).toHaveAccessibleDescription('Two fields have the name level. Rename one.');
    await press(page, 'Alt+Delete');
    await expect(field(3)).toHaveCount(0);
    await expect(nameOf(2)).toBeFocused();
  });

  await test.step('shows the bytes and the result of its fields', async () => {
    const input = page.getByRole('textbox', { name: 'Paste bytes as hex' });
    for (
      let stops = 0;
      stops < 20 && !(await input.evaluate((element) => element === document.activeElement));
      stops++
    ) {
      await press(page, 'Shift+Tab');
    }
    await page.keyboard.type('01 01 02');
    await expect(result).toContainText('258');
    await tabTo(page, nameOf(2));
    await expect(result.getByRole('row', { selected: true })).toContainText('level');
    expect.soft(await findViolations(page), 'form').toEqual([]);
  });

  await test.step('saves it and opens it in the form again', async () => {
    await expect(save).toContainText('Name the parser first.');
    const name = page.getByRole('textbox', { name: 'Name of the parser' });
    await press(page, 'Shift+Tab');
    for (
      let stops = 0;
      stops < 20 && !(await name.evaluate((element) => element === document.activeElement));
      stops++
    ) {
      await press(page, 'Shift+Tab');
    }
    await page.keyboard.type('Built level');
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Created the parser “Built level”');
    await expect(page).toHaveURL(/\/parsers\/parser-[0-9a-f]+\/update/);
    await page.reload();
    await expect(nameOf(2)).toHaveValue('level');
    await expect(save).toContainText('No changes to save.');
  });

  await test.step('shows what a change would add and saves it', async () => {
    await expect(nameOf(1)).toBeFocused();
    await press(page, 'ArrowDown Enter');
    await page.keyboard.type('rest');
    await press(page, 'Tab');
    await page.keyboard.type('Bytes');
    await press(page, 'Tab');
    await page.keyboard.type('To the end');
    await press(page, 'Alt+Enter');
    await expect(save).toContainText('rest:bytes');
    await press(page, 'Control+Enter');
    await expect(save).toContainText('No changes to save.');
  });
  await expectNoPointer(page);
});

test('keeps the text of the bench while others save and delete its parser', async ({ page, baseURL }) => {
  const editor = page.getByRole('textbox', { name: 'Definition' });
  const lastLine = editor.locator('.cm-line').last();
  const save = page.getByRole('group', { name: 'Save', exact: true });
  const shared = definition('u1').replaceAll('bench_level', 'shared_level');
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  await signIn(page, 'administrator');
  await runFromPalette(page, 'parser write', 'parser write');

  await test.step('continues with what is typed while a new parser is saved', async () => {
    await paste(page, shared);
    await expect(page.getByText('Definition is valid')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('# typed while saving');
    await expect(page).toHaveURL(/\/parsers\/parser-[0-9a-f]+\/update/);
    await expect(lastLine).toHaveText('# typed while saving');
    await page.keyboard.type(', and after it');
    await expect(lastLine).toHaveText('# typed while saving, and after it');
  });

  await test.step('asks before it replaces a definition that someone else saved', async () => {
    expect(
      await quarterdeck(terminal, `parser edit shared_level --definition '${shared}# theirs' --yes`),
    ).toMatchObject({
      code: 0,
    });
    // Even if the news has arrived, the first save doesn't replace it.
    await expect(save).toContainText('Someone else saved another definition in the meantime.');
    await expect(save).not.toContainText('Save again to replace it.');
    await press(page, 'Control+Enter');
    await expect(save).toContainText('Save again to replace it.');
    await press(page, 'Control+Enter');
    await expect(save).toContainText('No changes to save.');
  });

  await test.step('stays open when someone else deletes the parser', async () => {
    await page.keyboard.type('!');
    expect(await quarterdeck(terminal, 'parser delete shared_level --yes')).toMatchObject({ code: 0 });
    await press(page, 'Control+Enter');
    await expect(save).toContainText('This parser was deleted.');
    await expect(lastLine).toHaveText('# typed while saving, and after it!');
  });
});
