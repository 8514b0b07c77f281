import { describe, expect, test } from 'vitest';

import type { Entity } from '#commands/model/entity.ts';
import { NothingInCommonError, UnknownValueError } from '#commands/model/errors.ts';
import type { FilterKey, Term } from '#commands/model/filter.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { compileFilter } from './compile.ts';
import { parseFilter } from './parse.ts';

interface Selection {
  readonly terms: Term[];
}

const MODELS = ['LoRa 1.2', 'lora-1.2', 'Sat 2', 'Sat 3', 'Wave'];
const OWNERS = ['North', 'South', 'Southwest'];
const siteNames = Array.from({ length: 14 }, (_, index) => `name${index}`);
const apply = (selection: Selection, term: Term): void => void selection.terms.push(term);
/** A key with a single value per item. */
const applySingle = (selection: Selection, term: Term): void => {
  if (selection.terms.some(({ key }) => key === term.key)) throw new NothingInCommonError(term.key);
  apply(selection, term);
};

const filter: Record<string, FilterKey<Selection>> = {
  model: { kind: 'text', allValues: async () => MODELS, presence: true, apply },
  owner: { kind: 'name', allValues: async () => OWNERS, apply },
  site: { kind: 'text', allValues: async () => siteNames, apply },
  free: { kind: 'text', apply },
  state: { kind: 'choice', options: ['OK', 'WARNING', 'ERROR'], negates: true, apply: applySingle },
  color: { kind: 'choice', options: ['RED', 'BLUE'], pluralMessage: message('gadget:twoColors'), apply: applySingle },
  volts: { kind: 'number', ranges: true, apply: applySingle },
  stateless: {
    kind: 'flag',
    apply: () => {
      throw new NothingInCommonError('state');
    },
  },
};
const entity = { ...gadget, filter, emptySelection: () => ({ terms: [] }) } as unknown as Entity<Gadget, Selection>;

const termsOf = async (text: string) => {
  const parsed = parseFilter(text, entity);
  expect(parsed.problems).toEqual([]);
  const { selection } = await compileFilter(entity, parsed.filter, testContext());
  return selection.terms.map(({ key, test: termTest }) => [key, termTest]);
};
const rejection = async (text: string): Promise<unknown> => termsOf(text).catch((error: unknown) => error);

describe('a term', () => {
  test.each<[string, string, object]>([
    ['keeps a value unchanged if the key lists none', 'free:anything', { values: ['anything'] }],
    ['keeps a presence test unchanged', 'model:*', { present: true }],
    ['corrects the spelling of a typed value', 'model:sat-2', { values: ['Sat 2'] }],
    ['keeps a typed value that exists', 'model:lora-1.2', { values: ['lora-1.2'] }],
    ['expands a pattern to its matches without duplicates', 'model:sat-3,sat*', { values: ['Sat 3', 'Sat 2'] }],
    ['expands a pattern to the matching options', 'state:ok,*r*', { values: ['OK', 'WARNING', 'ERROR'] }],
    ['keeps typed names, because the key looks them up', 'owner:nobody', { values: ['nobody'] }],
    [
      'keeps typed names next to the matches of a pattern',
      'owner:nobody,south*',
      { values: ['nobody', 'South', 'Southwest'] },
    ],
  ])('%s', async (_, text, expected) => {
    expect(await termsOf(text)).toEqual([[text.slice(0, text.indexOf(':')), expected]]);
  });
});

describe('an unknown value', () => {
  test.each<[string, string, ReturnType<typeof message>, readonly string[]]>([
    [
      'is rejected with the nearest values',
      'model:"sat 22"',
      message('common:filter.unknownNear', { key: 'model', value: 'sat 22', near: 'Sat 2, Sat 3' }),
      ['Sat 2', 'Sat 3'],
    ],
    [
      'is rejected with the only similar value',
      'model:wavy',
      message('common:filter.unknownNear', { key: 'model', value: 'wavy', near: 'Wave' }),
      ['Wave'],
    ],
    [
      'is rejected with the first twelve valid values if no value is similar',
      'site:zzz',
      message('common:filter.unknown', { key: 'site', value: 'zzz', names: siteNames.slice(0, 12).join(', ') }),
      [],
    ],
  ])('%s', async (_, text, userMessage, nearMatches) => {
    const error = await rejection(text);
    expect(error).toBeInstanceOf(UnknownValueError);
    expect(error).toMatchObject({ userMessage, nearMatches });
  });
});

describe('contradictory terms', () => {
  test.each<[string, string, ReturnType<typeof message>]>([
    [
      'suggest one term that matches either value',
      'state:OK free:x state:ERROR',
      message('common:filter.exclusion', { key: 'state', entity: message('gadget:one'), either: 'state:ERROR,OK' }),
    ],
    [
      'suggest a term without the excluded values',
      'state:OK state:ERROR -state:WARNING',
      message('common:filter.exclusion', { key: 'state', entity: message('gadget:one'), either: 'state:ERROR,OK' }),
    ],
    [
      'name the attribute that has a single value',
      'color:RED color:BLUE',
      message('common:filter.exclusionOf', {
        key: 'color',
        entity: message('gadget:one'),
        either: 'color:BLUE,RED',
        several: message('gadget:twoColors'),
      }),
    ],
    ['have no suggestion for ranges', 'volts>2 volts<1', message('common:filter.nothing', { key: 'volts' })],
    [
      'have no suggestion if only one term of the key has values',
      'state:OK,ERROR stateless:true',
      message('common:filter.nothing', { key: 'state' }),
    ],
  ])('%s', async (_, text, userMessage) => {
    expect(await rejection(text)).toMatchObject({ userMessage });
  });
});
