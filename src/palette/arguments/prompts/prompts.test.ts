import { describe, expect, it } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';

import { promptOf } from './all.ts';
import type { Asked } from './prompt.ts';

/** What is asked of the prompt of a param of `tune`, which has one of each kind. */
function asked(name: string, text: string, value?: ArgValue): Asked {
  const param = tune.params[name];
  if (!param) throw new Error(`tune has no ${name}`);
  return { param, text, value, context: testContext(), say: ({ key }) => key, texts: (key) => key };
}

const now = (name: string, text: string, value?: ArgValue) =>
  promptOf(asked(name, text).param.kind).now(asked(name, text, value));

/** The values that the rows of a param give, those that come late last. */
async function values(name: string, text: string, value?: ArgValue): Promise<unknown[]> {
  const question = asked(name, text, value);
  const prompt = promptOf(question.param.kind);
  const late = (await prompt.later?.(question, new AbortController().signal)) ?? [];
  return [...prompt.now(question).rows, ...late].map((row) => row.value);
}

describe('what is typed becomes a row with the value it means', () => {
  it.each([
    ['volts', '12.5', [12.5]],
    ['dryRun', 'palette.y', [true]],
    ['every', '90m', [5400]],
    ['from', '-10h', ['-10h']],
    ['during', '2d', [{ start: '-2d', end: 'now' }]],
    ['mode', 'inst', ['INSTALLED']],
    ['events', 'alarm', ['ALARM_TRIGGERED']],
    ['keywords', 'a,b', [['a', 'b']]],
    ['header', 'X-Site=north', [{ 'X-Site': 'north' }]],
    ['password', 'secret', ['secret']],
    ['label', 'Pump 3', ['Pump 3']],
    ['parent', 'well', ['Well 7']],
    ['neighbours', 'pump', ['North pump', 'South pump']],
    ['gadgets', 'state:OK', [{ query: 'state:OK' }]],
    ['gadgets', 'well', [{ ids: ['EEEE FFFF'] }, { query: 'well' }]],
    ['gadgets', 'Well 7,North pump', [{ named: 'Well 7,North pump' }]],
    ['gadgets', 'Well 7,pump', [{ query: 'Well 7,pump' }]],
    ['only', 'state:error', ['state:ERROR']],
  ] as const)('%s: %s', async (name, text, expected) => {
    expect(await values(name, text)).toEqual(expected);
  });
});

describe('what is typed and means nothing', () => {
  it.each([
    ['volts', 'many', 'core:validation.numeric'],
    ['every', 'soon', 'core:validation.duration'],
    ['header', 'north', 'core:validation.pair'],
    ['gadgets', 'helth:OK', 'core:query.key'],
    ['only', 'helth:OK', 'core:query.key'],
  ])('%s: %s is said, and no row is offered', (name, text, problem) => {
    expect(now(name, text)).toMatchObject({ rows: [], problem: { key: problem } });
  });
});

it('a secret is masked, and its row does not show it', () => {
  expect(promptOf('secret').masked).toBe(true);
  expect(now('password', 'hunter2').rows.map((row) => row.label)).toEqual(['palette.secret']);
});

it('several are added to what there is, and a first row ends it', () => {
  expect(now('keywords', 'c', ['a', 'b']).rows).toMatchObject([{ value: ['a', 'b', 'c'], stays: true }]);
  expect(now('keywords', '', ['a', 'b']).rows).toMatchObject([{ id: 'done', value: ['a', 'b'] }]);
});
