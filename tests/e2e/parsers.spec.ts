import { findViolations } from './support/axe.ts';
import { plan, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, moveTo, press, tabTo, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const DEFINITION = `meta:
  id: sump_level
  title: Sump level
  endian: be
seq:
  - id: level
    type: u3
`;

test('uploads a parser, declares a field, assigns it to a tag, and shares it', async ({ page }) => {
  const parsers = rows(page, 'Parsers');
  const sump = parsers.filter({ hasText: 'Sump level' });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g Shift+P');

  await test.step('offers both ways to create a parser, and the commands of a row', async () => {
    await expect(page.getByRole('button', { name: /^Upload parser/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Build a parser/ })).toBeVisible();
    await press(page, 'x');
    const selection = page.getByRole('toolbar', { name: 'Selection' });
    for (const name of [/^Edit/, /^Duplicate/, /^Delete/, /^Open in the parser bench/])
      await expect(selection.getByRole('button', { name })).toBeVisible();
    await press(page, 'Escape');
  });

  await test.step('reports the line of a mistake in a definition', async () => {
    await press(page, 'c Shift+P');
    const definition = page.getByRole('textbox', { name: 'Definition' });
    await expect(page.getByRole('heading', { name: 'Upload parser' })).toBeVisible();
    await tabTo(page, definition);
    await page.keyboard.insertText(DEFINITION);
    await press(page, 'Control+Enter');
    await expect(definition).toHaveAccessibleDescription(/Line 7: .*u3.*Did you mean u1, u2/);
    await expect(definition).toBeFocused();
  });

  await test.step('uploads the corrected definition under its title', async () => {
    await press(page, 'Control+A');
    await page.keyboard.insertText(DEFINITION.replace('u3', 'u2'));
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Created the parser “Sump level”');
    await expect(sump).toContainText('Uploaded');
  });

  await test.step('declares a field with a unit and changes its format with a preview', async () => {
    await runFromPalette(
      page,
      "field create 'Sump level' level --display-name 'Sump depth' --unit DISTANCE_METER --decimals 1",
      'field create',
    );
    await expect(toasts(page)).toContainText('Created the field “Sump depth”');
    await press(page, 'g f');
    await press(page, '/');
    await enter(page, 'sump');
    const depth = rows(page, 'Fields').filter({ hasText: 'Sump depth' });
    await expect(depth).toHaveCount(1);
    await expect(depth).toContainText('1 decimal');
    await press(page, 'e');
    await expect(page.getByRole('heading', { name: 'Edit field' })).toBeVisible();
    await expect(page.getByText('12.345678 is shown as 12.3 m')).toBeVisible();
    await tabTo(
      page,
      page.getByRole('spinbutton', { name: 'Sample number' }).or(page.getByRole('textbox', { name: 'Sample number' })),
    );
    await page.keyboard.type('7.25');
    await expect(page.getByText('7.25 is shown as 7.3 m')).toBeVisible();
    expect.soft(await findViolations(page), 'form').toEqual([]);
    await press(page, 'Escape');
    await runFromPalette(page, "field edit 'Sump depth' --unit DISTANCE_CENTIMETER --decimals 0", 'field edit');
    await expect(depth).toContainText('No decimals');
    await press(page, 'u');
    await expect(depth).toContainText('1 decimal');
  });

  await test.step('assigns the parser to a tag and undoes that', async () => {
    await press(page, 'g Shift+P');
    await runFromPalette(page, "tag create 'Sump pumps' --type site", 'tag create');
    await runFromPalette(page, "parser assign-to-tags '* sump' --parser 'Sump level'", 'parser assign-to-tags');
    await expect(toasts(page)).toContainText('Assigned the parser “Sump level” to 1 tag');
    await runFromPalette(page, "parser open 'Sump level'", 'parser open');
    const panel = page.getByRole('article', { name: 'Sump level' });
    await tabTo(page, panel.getByRole('tab', { name: 'Overview' }));
    await moveTo(page, 'ArrowRight', panel.getByRole('tab', { name: 'Tags' }));
    await press(page, 'Enter');
    await expect(panel.getByRole('list', { name: 'Tags' })).toContainText('Sump pumps');
    await moveTo(page, 'ArrowRight', panel.getByRole('tab', { name: 'Definition' }));
    await press(page, 'Enter');
    await expect(panel.getByRole('region', { name: 'Definition' })).toContainText('title: Sump level');
    expect.soft(await findViolations(page), 'panel').toEqual([]);
    await moveTo(page, 'ArrowLeft', panel.getByRole('tab', { name: 'Tags' }));
    await press(page, 'Enter');
    await press(page, 'u');
    await expect(panel).toContainText('No tags yet');
    await press(page, 'Escape');
  });

  await test.step('makes it available to a sub-organization', async () => {
    await runFromPalette(
      page,
      'organization create sump-users --contact-name A --contact-email a@b.example',
      'organization create',
    );
    await runFromPalette(page, "parser make-available 'Sump level' sump-users", 'parser make-available');
    await expect(sump).toContainText('sump-users');
    await press(page, 'u');
    await expect(sump).not.toContainText('sump-users');
    // Other tests count sub-organizations.
    await runFromPalette(page, "organization delete '#sump-users'", 'organization delete');
    await expect(plan(page)).toContainText('Delete 1 organization');
    await enter(page, 'sump-users');
    await expect(toasts(page)).toContainText('Deleted');
  });

  await test.step('deletes it after its name is typed', async () => {
    await runFromPalette(page, "parser delete 'Sump level'", 'parser delete');
    await expect(plan(page)).toContainText('1 field is deleted');
    await enter(page, 'Sump level');
    await expect(toasts(page)).toContainText('Deleted 1 parser');
    await expect(sump).toHaveCount(0);
  });
  await expectNoPointer(page);
});

test('opens the form for a new field of a parser by its address', async ({ page }) => {
  await signIn(page, 'administrator');
  await runFromPalette(page, 'parser create-simple Addressed level:u2', 'parser create-simple');
  await expect(toasts(page)).toContainText('Created the parser “Addressed”');
  await page.goto('/developer-tools/fields/Addressed/create');
  await expect(page.getByRole('heading', { name: 'Create field' })).toBeVisible();
  await expect(page.getByText(/field create '#parser-/)).toBeVisible();
});
