import { describe, expect, test } from 'vitest';

import { gadget, type Gadget } from '#commands/testkit/gadget.ts';
import { testContext } from '#commands/testkit/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { NothingInCommon, UnknownValue } from '#commands/model/errors.ts';
import type { FilterKey, Term } from '#commands/model/filter.ts';
import { message } from '#commands/text/message.ts';
import { compileFilter } from './compile.ts';
import { parseFilter } from './parse.ts';

interface Selection {
  readonly terms: Term[];
}

const MODELS = ['LoRa 1.2', 'lora-1.2', 'Sat 2', 'Sat 3', 'Wave'];
const OWNERS = ['North', 'South', 'Southwest'];
const many = Array.from({ length: 14 }, (_, index) => `name${index}`);
const apply = (selection: Selection, term: Term): void => void selection.terms.push(term);
/** Nothing has two of them. */
const single = (selection: Selection, term: Term): void => {
  if (selection.terms.some(({ key }) => key === term.key)) throw new NothingInCommon(term.key);
  apply(selection, term);
};

const filter: Record<string, FilterKey<Selection>> = {
  model: { kind: 'text', every: async () => MODELS, presence: true, apply },
  owner: { kind: 'name', every: async () => OWNERS, apply },
  site: { kind: 'text', every: async () => many, apply },
  free: { kind: 'text', apply },
  state: { kind: 'choice', options: ['OK', 'WARNING', 'ERROR'], negates: true, apply: single },
  colour: { kind: 'choice', options: ['RED', 'BLUE'], several: message('gadget:twoColours'), apply: single },
  volts: { kind: 'number', ranges: true, apply: single },
  stateless: {
    kind: 'flag',
    apply: () => {
      throw new NothingInCommon('state');
    },
  },
};
const of = { ...gadget, filter, emptySelection: () => ({ terms: [] }) } as unknown as Entity<Gadget, Selection>;

const compiled = async (text: string) => {
  const parsed = parseFilter(text, of);
  expect(parsed.problems).toEqual([]);
  const { selection } = await compileFilter(of, parsed.filter, testContext());
  return selection.terms.map(({ key, test: tested }) => [key, tested]);
};
const refusal = async (text: string): Promise<unknown> => compiled(text).catch((error: unknown) => error);

describe('a term', () => {
  test.each<[string, string, object]>([
    ['is passed on as it is where nobody can list the values', 'free:anything', { values: ['anything'] }],
    ['is passed on where it has no values', 'model:*', { present: true }],
    ['has the known spelling of what was typed', 'model:sat-2', { values: ['Sat 2'] }],
    ['has what was typed where that exists', 'model:lora-1.2', { values: ['lora-1.2'] }],
    ['has what a pattern fits, each once', 'model:sat-3,sat*', { values: ['Sat 3', 'Sat 2'] }],
    ['has the options that a pattern fits', 'state:ok,*r*', { values: ['OK', 'WARNING', 'ERROR'] }],
    ['keeps names as they were typed: its key looks them up', 'owner:nobody', { values: ['nobody'] }],
    ['keeps names beside what a pattern fits', 'owner:nobody,south*', { values: ['nobody', 'South', 'Southwest'] }],
  ])('%s', async (_, text, tested) => {
    expect(await compiled(text)).toEqual([[text.slice(0, text.indexOf(':')), tested]]);
  });
});

describe('a value that does not exist', () => {
  test.each<[string, string, ReturnType<typeof message>, readonly string[]]>([
    [
      'is refused with the nearest',
      'model:"sat 22"',
      message('common:filter.unknownNear', { key: 'model', value: 'sat 22', near: 'Sat 2, Sat 3' }),
      ['Sat 2', 'Sat 3'],
    ],
    [
      'is refused with the only one that is near',
      'model:wavy',
      message('common:filter.unknownNear', { key: 'model', value: 'wavy', near: 'Wave' }),
      ['Wave'],
    ],
    [
      'is refused with twelve of those that there are',
      'site:zzz',
      message('common:filter.unknown', { key: 'site', value: 'zzz', names: many.slice(0, 12).join(', ') }),
      [],
    ],
  ])('%s', async (_, text, userMessage, near) => {
    const error = await refusal(text);
    expect(error).toBeInstanceOf(UnknownValue);
    expect(error).toMatchObject({ userMessage, near });
  });
});

describe('terms that no item can fulfil together', () => {
  test.each<[string, string, ReturnType<typeof message>]>([
    [
      'are refused with the term for any of them',
      'state:OK free:x state:ERROR',
      message('common:filter.exclusion', { key: 'state', one: message('gadget:one'), either: 'state:ERROR,OK' }),
    ],
    [
      'are refused without what is excluded',
      'state:OK state:ERROR -state:WARNING',
      message('common:filter.exclusion', { key: 'state', one: message('gadget:one'), either: 'state:ERROR,OK' }),
    ],
    [
      'are refused with what nothing has several of',
      'colour:RED colour:BLUE',
      message('common:filter.exclusionOf', {
        key: 'colour',
        one: message('gadget:one'),
        either: 'colour:BLUE,RED',
        several: message('gadget:twoColours'),
      }),
    ],
    ['say only so where they are ranges', 'volts>2 volts<1', message('common:filter.nothing', { key: 'volts' })],
    [
      'say only so where there is one with values of its own',
      'state:OK,ERROR stateless:true',
      message('common:filter.nothing', { key: 'state' }),
    ],
  ])('%s', async (_, text, userMessage) => {
    expect(await refusal(text)).toMatchObject({ userMessage });
  });
});
