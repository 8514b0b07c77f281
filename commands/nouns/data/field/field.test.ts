import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { findOne, listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { field } from './entity.ts';
import { enumValuesOf, formatNamesOf, numericOf, unitNameOf, UNITS } from './item.ts';
import { createPreview } from './params.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  await type(context, 'parser create-simple Probe level:u2,battery:u2,state:u1,label:str');
  await type(context, 'parser create-simple Gauge level:u2');
  await type(
    context,
    'field create Probe level --display-name Level --unit PRESSURE_BAR --decimals 2 --rounding HALF_EVEN --priority 9',
  );
  await type(context, 'field create Probe battery --unit BATTERY_LEVEL --operational');
  await type(context, 'field create Probe state --values open,shut');
  await type(context, 'field create Gauge level --type NUMERIC');
});
afterAll(() => server.close());

const paths = async (query: string) =>
  (await listAll(field, query, context)).map((item) => `${item.parserName} ${item.field}`);
async function findField(query: string) {
  const [item] = await listAll(field, query, context);
  if (!item) throw new Error(`No field matches ${query}.`);
  return item;
}

test('creates fields with their type, unit, format, and settings', async () => {
  const level = await findField('parser:Probe level');
  expect(level).toMatchObject({ displayName: 'Level', priority: 9, operational: false });
  expect([unitNameOf(level), formatNamesOf(numericOf(level)?.format)]).toEqual([
    'PRESSURE_BAR',
    { decimals: '2', rounding: 'HALF_EVEN' },
  ]);
  expect(unitNameOf(await findField('battery'))).toBe('BATTERY_LEVEL');
  expect(enumValuesOf(await findField('state')).map(({ value }) => value)).toEqual(['open', 'shut']);
  expect(unitNameOf(await findField('parser:Gauge'))).toBeUndefined();
});

test('filters by parser, type, quantity, operation, and text, and sorts by every sort', async () => {
  expect(await paths('parser:Gauge')).toEqual(['Gauge level']);
  expect(await paths('type:ENUM')).toEqual(['Probe state']);
  expect(await paths('quantity:PRESSURE,BATTERY_LEVEL parser:Probe')).toEqual(['Probe level', 'Probe battery']);
  expect(await paths('operational:false parser:Probe')).toEqual(['Probe level', 'Probe state']);
  expect(await paths('owned:true batt')).toEqual(['Probe battery']);
  for (const sort of field.sorts) expect(await paths(`sort:${sort}`)).toHaveLength(4);
  expect(await paths('parser:Probe sort:-path')).toEqual(['Probe state', 'Probe level', 'Probe battery']);
});

test('opens a field by any spelling of its path', async () => {
  const { identifier } = await findField('battery');
  for (const path of ['$.battery', '.battery', "$['battery']", 'battery'])
    expect(await findOne(field, path, context)).toMatchObject({ identifier });
  expect(await findOne(field, '$.batt', context)).toBeUndefined();
});

test('edits the name, unit, format, and flags of a field, and undo restores them', async () => {
  const before = await findField('parser:Probe level');
  const run = await type(
    context,
    `field edit '#${before.identifier}' --display-name Depth --unit DISTANCE_METER --decimals 0 --priority 3 --optional --encrypted --operational`,
  );
  const editedField = await findField('parser:Probe level');
  expect(editedField).toMatchObject({
    displayName: 'Depth',
    priority: 3,
    optional: true,
    encrypted: true,
    operational: true,
  });
  expect([unitNameOf(editedField), formatNamesOf(numericOf(editedField)?.format)]).toEqual([
    'DISTANCE_METER',
    { decimals: '0', rounding: 'HALF_EVEN' },
  ]);
  await undo(context, run);
  expect(await findField('parser:Probe level')).toEqual(before);
});

test('sets every unit', async () => {
  const { identifier } = await findField('parser:Gauge');
  for (const unit of UNITS) {
    await type(context, `field edit '#${identifier}' --unit ${unit}`);
    expect(unitNameOf(await findField('parser:Gauge'))).toBe(unit);
  }
});

test('rejects a unit for a field that is not a number', async () => {
  const { identifier } = await findField('state');
  await expect(planLine(context, `field edit '#${identifier}' --unit PRESSURE_BAR`)).rejects.toMatchObject({
    userMessage: { key: 'field:validation.notNumeric' },
  });
});

test('previews a sample number while editing', () => {
  expect(createPreview({ unit: 'PRESSURE_BAR', decimals: '2' }).values).toEqual({
    sample: '12.345678',
    text: '12.35 bar',
  });
  expect(createPreview({ sample: -2.5, decimals: '0', rounding: 'CEILING' }).values).toEqual({
    sample: '-2.5',
    text: '-2',
  });
  expect(registry.command('field.edit')?.preview?.({ displayName: 'Level' })).toBeUndefined();
});

test('adds, edits, and removes values of a choice, and undo restores each of them', async () => {
  const values = async () =>
    enumValuesOf(await findField('state')).map(({ value, displayName, description, color, priority }) =>
      [value, displayName, description, color, priority].join('|'),
    );
  const before = await values();
  const addRun = await type(
    context,
    "field add-value state half --name 'Half open' --description 'Between' --color '#2e7d32' --priority 5",
  );
  expect(await values()).toEqual(['half|Half open|Between|#2e7d32|5', ...before]);
  await undo(context, await type(context, 'field edit-value state half --name Halfway --priority 0'));
  expect(await values()).toContain('half|Half open|Between|#2e7d32|5');
  await undo(context, await type(context, 'field remove-value state half'));
  expect(await values()).toContain('half|Half open|Between|#2e7d32|5');
  await undo(context, addRun);
  expect(await values()).toEqual(before);
  await expect(planLine(context, "field add-value state shut --color 'url(//x)'")).rejects.toMatchObject({
    userMessage: { key: 'core:validation.color' },
  });
  await expect(planLine(context, 'field remove-value state ajar')).rejects.toMatchObject({
    userMessage: { key: 'field:validation.noValue' },
  });
});

test('warns about a field missing from the definition, and deletes a new field on undo', async () => {
  const plan = await planLine(context, 'field create Probe depth');
  expect(plan?.notes?.map(({ key }) => key)).toEqual(['field:plan.missing']);
  const run = await type(context, 'field create Probe label');
  expect(await paths('label')).toEqual(['Probe label']);
  await undo(context, run);
  expect(await paths('label')).toEqual([]);
});
