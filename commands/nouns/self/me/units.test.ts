import { toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import type { Message } from '#commands/text/message.ts';
import { Field_Numeric_Format_RoundingMode as RoundingMode } from '#proto/gen/hiber/field_pb.ts';
import {
  UnitPreferences_UnitCategory,
  UnitPreferencesSchema,
  UnitPreferencesService,
} from '#proto/gen/hiber/unit_preferences_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { general } from './pages.ts';
import { loadUnitPreferences } from './unit-preferences.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const translate = translateWith(await createTranslator('en', resources));
const textOf = (value: string | Message | undefined) => (typeof value === 'object' ? translate(value) : value);

/** Returns a plan's changes as text, such as `pressure: psi → bar`. */
async function planChanges(context: Context, line: string): Promise<readonly string[]> {
  const changes = (await planLine(context, line))?.changes ?? [];
  return changes.map(({ field, before, after }) => `${translate(field)}: ${textOf(before)} → ${textOf(after)}`);
}

const storedPreferences = async (context: Context) =>
  toJson(UnitPreferencesSchema, await loadUnitPreferences(context), { alwaysEmitImplicit: true });

async function loadDetails(context: Context, section: string): Promise<Readonly<Record<string, string | undefined>>> {
  const data = await general.load(context);
  const { details = [] } = general.sections.find(({ id }) => id === section) ?? {};
  return Object.fromEntries(details.map(({ id, value }) => [id, textOf(value(data))]));
}

test('sets the units of some categories and keeps the units of the others', async () => {
  const context = await contextAs(server, 'operator');
  await type(context, 'me set-units --temperature degrees_fahrenheit --distance imperial');
  const run = await type(context, 'me set-units --pressure psi --temperature kelvin');
  expect(await planChanges(context, 'me set-units --temperature as_sent --distance metric')).toEqual([
    'distance: Imperial: in, ft, mi → Metric: mm, m, km',
    'temperature: K → As sent',
  ]);
  await undo(context, run);
  expect(await loadDetails(context, 'units')).toMatchObject({
    distance: 'Imperial: in, ft, mi',
    temperature: '°F',
    pressure: 'As sent',
  });
});

test('sets the decimals of several categories, with an example in the preferred unit', async () => {
  const context = await contextAs(server, 'developer');
  await type(context, 'me set-units --pressure psi --distance imperial');
  const line = 'me set-decimals pressure,distance,percentage 2 --rounding half_even';
  expect(await planChanges(context, line)).toEqual([
    'decimals of pressure: As sent → 179.06 psi · 2 decimals, halves to even',
    'decimals of distance: As sent → 40.50 ft · 2 decimals, halves to even',
    'decimals of percentages: As sent → 12.35% · 2 decimals, halves to even',
  ]);
  await type(context, line);
  expect(await planChanges(context, line)).toEqual([]);
  const run = await type(context, 'me set-decimals pressure,percentage 0');
  expect(await loadDetails(context, 'decimals')).toMatchObject({
    pressure: '179 psi · no decimals, halves to even',
    distance: '40.50 ft · 2 decimals, halves to even',
    mass: 'As sent',
    percentage: '12% · no decimals, halves to even',
  });
  await undo(context, run);
  expect(await loadDetails(context, 'decimals')).toMatchObject({ percentage: expect.stringContaining('12.35%') });
  await type(context, 'me set-decimals pressure,percentage as_sent');
  const { percentagePreference, pressurePreference } = await loadUnitPreferences(context);
  expect(percentagePreference).toBeUndefined();
  expect(pressurePreference?.format).toBeUndefined();
});

test('keeps the decimals when the unit changes or undo restores it', async () => {
  const context = await contextAs(server, 'viewer');
  await type(context, 'me set-units --pressure psi --temperature kelvin');
  await type(context, 'me set-decimals pressure 3 --rounding floor');
  await type(context, 'me set-units --pressure k_pa');
  const stored = {
    pressurePreference: { preference: 'K_PA', format: { roundToScale: 3, roundingMode: 'FLOOR' } },
    temperaturePreference: { preference: 'KELVIN' },
  };
  expect(await storedPreferences(context)).toEqual(stored);
  const run = await type(context, 'me set-units --pressure as_sent --temperature as_sent');
  expect(await storedPreferences(context)).toEqual({});
  await undo(context, run);
  expect(await storedPreferences(context)).toEqual(stored);
});

test('rejects decimals for a category without a unit', async () => {
  const context = await contextAs(server, 'administrator');
  const rejection = await type(context, 'me set-decimals mass,speed,percentage 1').catch(
    ({ userMessage }) => userMessage,
  );
  expect(translate(rejection as Message)).toBe('Choose a unit for mass and speed before you set the decimals.');
  expect(await planLine(context, 'me set-decimals mass as_sent')).toMatchObject({ count: 0 });
  await type(context, 'me set-decimals mass as_sent');
  expect(await storedPreferences(context)).toEqual({});
});

test('keeps a rounding mode that another client set without decimals', async () => {
  const context = await contextAs(server, 'support');
  const value = { preference: UnitPreferences_UnitCategory.IMPERIAL, format: { roundingMode: RoundingMode.UP } };
  await context.api(UnitPreferencesService).unitPreferences({ mass: { case: 'updateMassPreference', value } });
  await type(context, 'me set-units --mass metric');
  expect(await storedPreferences(context)).toEqual({
    massPreference: { preference: 'METRIC', format: { roundingMode: 'UP' } },
  });
});
