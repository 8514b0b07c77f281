import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Ability } from '#commands/model/ability.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { NothingInCommonError } from '#commands/model/errors.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { checkLifecycle } from '#commands/nouns/fleet/device/lifecycle.ts';
import { fieldPermissionMessage, permissionMessage } from '#commands/run/availability.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

import { compileText } from './compile.ts';

// These tests check that the messages for invalid filters and fields are short and suggest a valid alternative.

const translate = translateWith(await createTranslator('en', resources));

/** The device entity, with a health key that needs no server. */
const offlineDevice = {
  ...device,
  filter: {
    ...device.filter,
    health: {
      ...device.filter['health'],
      apply: (selection: { modems: { healthLevels: string[] } }, { key, test: { values } }: never) => {
        const { modems } = selection;
        if (modems.healthLevels.length > 0) throw new NothingInCommonError(key);
        modems.healthLevels = values;
      },
    },
  },
} as unknown as AnyEntity;

test.each([
  ['helth:ERROR', /^“helth” isn't a filter\. Did you mean health\?$/],
  ['foo:bar', /^“foo” isn't a filter\. Use health, lifecycle, .*, or put it in quotes to search for it\.$/],
  ['heal>2d', /^“heal” isn't a filter\. Use health, /],
  ['state:paused', /^“state” isn't a filter\. Did you mean lifecycle\?$/],
  ['health:', /^“health:” needs a value\.$/],
  ['health:ERROR health:OK', /^No device has two health levels\. To match either, write health:ERROR,OK\.$/],
  [
    'lifecycle:PAUSED lifecycle:SPARE',
    /^No device has two lifecycles\. To match either, write lifecycle:PAUSED,SPARE\.$/,
  ],
  ['received<10', /^“received” is a column, and devices can't be filtered by it\. Use health, /],
  ['sort:color', /^Can't sort by “color”\. Use name, number, last, /],
  ['location:52.9/6.5', /^“52\.9\/6\.5” isn't an area\. /],
])('rejects %s with a message that matches %s', async (filter, expectedMessage) => {
  const text = await compileText(offlineDevice, filter, testContext()).catch((error: { userMessage: never }) =>
    translate(error.userMessage),
  );
  expect(text).toMatch(expectedMessage);
});

test('explains that only support can set a field, or which permission is missing', () => {
  expect(translate(fieldPermissionMessage('DEVICE_SLA'))).toBe('Only support can set this.');
  expect(translate(fieldPermissionMessage('SECURE_NOTES'))).toMatch(
    /^You need the “.+” permission\. An administrator can grant it\.$/,
  );
});

test('quotes each missing permission separately', () => {
  expect(translate(permissionMessage('ASSIGN_TAGS', 'EDIT_DEVICE'))).toBe(
    'You need the “Create, change, and delete tags” and “Change device names, tags, and peripherals” permissions. ' +
      'An administrator can grant them.',
  );
  expect(translate(permissionMessage('ASSIGN_TAGS', 'EDIT_DEVICE', 'MANAGE_TOKENS'))).toMatch(
    /^You need the “[^”]+”, “[^”]+”, and “Manage API tokens” permissions\./,
  );
});

test('explains that only support can set some lifecycles', () => {
  const { actor } = testContext();
  const checkAs = (...abilities: Ability[]) =>
    checkLifecycle('DECOMMISSIONED', testContext({ actor: { ...actor, abilities: new Set(abilities) } }));
  const problem = checkAs('EDIT_DEVICE');
  expect(problem && translate(problem)).toBe('Only support can set Decommissioned.');
  expect(checkAs('EDIT_DEVICE', 'DEVICE_LIFECYCLE')).toBeUndefined();
});

// Pin the wording of messages that a reviewer once found unclear.
test.each([
  ['running:palette.hint.more', 'more options'],
  ['webhook:none.events', 'Every event'],
  ['webhook:secret.set', 'Set'],
  ['me:commands.set-date-format.about', 'Choose how dates and times are written.'],
  ['app:commands.cancel-work.title', 'Cancel'],
])('translates %s as “%s”', (key, sentence) => {
  expect(translate(message(key))).toBe(sentence);
});
