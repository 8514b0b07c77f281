import { describe, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { p } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { findPrompt } from './all.ts';
import type { PromptInput } from './prompt.ts';

/** Returns the input for prompting for a param of `tune`, which has a param of each kind. */
function inputFor(name: string, text: string, value?: ArgValue): PromptInput {
  const param = tune.params[name];
  if (!param) throw new Error(`tune has no ${name}`);
  return { param, text, value, context: testContext(), translate: ({ key }) => key, t: (key) => key };
}

const immediateRows = (name: string, text: string, value?: ArgValue) =>
  findPrompt(inputFor(name, text).param.kind).immediateRows(inputFor(name, text, value));

/** Returns the values in a param's rows. Rows that need a request come last. */
async function values(name: string, text: string, value?: ArgValue): Promise<unknown[]> {
  const input = inputFor(name, text, value);
  const prompt = findPrompt(input.param.kind);
  const loadedRows = (await prompt.load?.(input, new AbortController().signal)) ?? [];
  return [...prompt.immediateRows(input).rows, ...loadedRows].map((row) => row.value);
}

describe('rows for typed text', () => {
  test.each([
    ['volts', '12.5', [12.5]],
    ['dryRun', 'palette.y', [true]],
    ['every', '90m', [5400]],
    ['from', '-10h', ['-10h']],
    ['during', '2d', [{ start: '-2d', end: 'now' }]],
    ['mode', 'inst', ['INSTALLED']],
    ['events', 'alarm', ['ALARM_TRIGGERED']],
    ['events', 'message received, alarm', []],
    ['events', 'message_received, alarm_triggered', [['MESSAGE_RECEIVED', 'ALARM_TRIGGERED']]],
    ['keywords', 'a,b', [['a', 'b']]],
    ['neighbors', 'north pump,south pump', [['north pump', 'south pump']]],
    ['header', 'X-Site=north', [{ 'X-Site': 'north' }]],
    ['password', 'secret', ['secret']],
    ['label', 'Pump 3', ['Pump 3']],
    ['parent', 'well', ['Well 7']],
    ['neighbors', 'pump', ['North pump', 'South pump']],
    ['gadgets', 'state:OK', [{ query: 'state:OK' }]],
    ['gadgets', 'well', [{ ids: ['EEEE FFFF'] }, { query: 'well' }]],
    ['gadgets', 'Well 7,North pump', [{ named: 'Well 7,North pump' }]],
    ['gadgets', 'Well 7,pump', [{ query: 'Well 7,pump' }]],
    ['only', 'state:error', ['state:ERROR']],
  ] as const)('%s: %s', async (name, text, expected) => {
    expect(await values(name, text)).toEqual(expected);
  });
});

describe('invalid typed text', () => {
  test.each([
    ['volts', 'many', 'core:validation.numeric'],
    ['every', 'soon', 'core:validation.duration'],
    ['every', '3600', 'core:validation.durationNear'],
    ['header', 'north', 'core:validation.pair'],
    ['gadgets', 'helth:LOW', 'core:query.key'],
    ['only', 'helth:LOW', 'core:query.key'],
  ])('%s: rejects %s and offers no row', (name, text, problem) => {
    expect(immediateRows(name, text)).toMatchObject({ rows: [], problem: { key: problem } });
  });
});

const translate = translateWith(await createTranslator('en', resources));

describe('a flag', () => {
  const found = (text: string): unknown[] => {
    const param = p.flag();
    const input: PromptInput = { ...inputFor('mode', text), param, t: (key) => translate(message(`running:${key}`)) };
    return findPrompt('flag')
      .immediateRows(input)
      .rows.map(({ value }) => value);
  };

  test.each(['off', 'OFF', 'of', 'false', 'no', 'n', 'disable'])('is turned off by %s', (text) => {
    expect(found(text)[0]).toBe(false);
  });

  test.each(['on', 'true', 'yes', 'y', 'enable'])('is turned on by %s', (text) => {
    expect(found(text)[0]).toBe(true);
  });

  test('offers both values before the user types, and none for other text', () => {
    expect([found(''), found('xyz')]).toEqual([[true, false], []]);
  });
});

test('masks a secret and its row', () => {
  expect(findPrompt('secret').masked).toBe(true);
  expect(immediateRows('password', 'hunter2').rows.map((row) => row.label)).toEqual(['palette.secret']);
});

test('appends to existing values and offers a row to finish', () => {
  expect(immediateRows('keywords', 'c', ['a', 'b']).rows).toMatchObject([{ value: ['a', 'b', 'c'], keepsOpen: true }]);
  expect(immediateRows('keywords', '', ['a', 'b']).rows).toMatchObject([{ id: 'done', value: ['a', 'b'] }]);
});

describe('an option that is not available to the user', () => {
  const customer = testContext({ actor: { ...testContext().actor, abilities: new Set() } });
  const rowsFor = (text: string, context = customer) =>
    findPrompt('choice')
      .immediateRows({ ...inputFor('mode', text), context })
      .rows.map(({ value, reason }) => (reason === undefined ? value : { value, reason }));

  test("isn't offered", () => {
    expect(rowsFor('')).toEqual(['PENDING_MAINTENANCE', 'INSTALLED']);
    // DECOMMISSIONED also has these letters, but the other matches can be chosen.
    expect(rowsFor('in')).toEqual(['INSTALLED', 'PENDING_MAINTENANCE']);
    expect(rowsFor('', testContext())).toEqual(['PENDING_MAINTENANCE', 'INSTALLED', 'DECOMMISSIONED']);
  });

  test.each(['decommissioned', 'decom', 'DECOMMISSIONED '])('is found by typing “%s”, with the reason', (text) => {
    expect(rowsFor(text)).toEqual([{ value: 'DECOMMISSIONED', reason: 'gadget:onlySupport' }]);
    expect(rowsFor(text, testContext())).toEqual(['DECOMMISSIONED']);
  });
});
