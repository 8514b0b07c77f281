import fc from 'fast-check';
import { expect, test } from 'vitest';

import { invocations } from '../testing/arbitrary.ts';
import { gadget, reset, tune } from '../testing/gadget.ts';
import { ASK } from './kinds.ts';
import { fromSearch, toSearch } from './link.ts';
import { parseArgv, parseLine, printLine, toArgv } from './line.ts';
import { createRegistry } from './registry.ts';
import { listCommand } from './standard.ts';

const registry = createRegistry([{ entity: gadget, commands: [tune, reset, listCommand(gadget)] }]);
const read = (line: string) => parseLine(line, registry);
const args = (line: string) => read(line).invocation?.args;
const problem = (line: string) =>
  read(line).problems.map(({ from, to, message }) => [line.slice(from, to), message.key]);

test('line, argv and link give back the invocation they were made of', () => {
  fc.assert(
    fc.property(invocations(tune), (invocation) => {
      expect(read(printLine(invocation, registry)).invocation).toEqual(invocation);
      expect(parseArgv(toArgv(invocation, registry), registry).invocation).toEqual(invocation);
      expect(fromSearch(toSearch(invocation, registry), registry)?.invocation).toEqual(invocation);
    }),
  );
});

test('any text is read without throwing', () => {
  const pieces = fc.constantFrom(
    'gadget tune ',
    'gadgets ',
    '--during ',
    '--',
    "'",
    '"',
    '\\',
    ' ',
    'state:',
    '@',
    '=',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 10 }), (parts) => {
      const line = parts.join('');
      const { invocation, problems } = read(line);
      expect(invocation === undefined).toBe(problems.length > 0);
      expect(problems.every(({ from, to }) => from <= to && to <= line.length)).toBe(true);
    }),
  );
});

test('a line reads as one types it', () => {
  expect(args('gadget tune state:error pending-maintenance --volts 12.5 --every 90m --dry-run --no-audible')).toEqual({
    gadgets: { query: 'state:ERROR' },
    mode: 'PENDING_MAINTENANCE',
    volts: 12.5,
    every: 5400,
    dryRun: true,
    audible: false,
  });
  expect(args(`gadget tune 'aaaabbbb, cccc dddd' installed --header X-Site=north --header X-Kind='a b'`)).toEqual({
    gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] },
    mode: 'INSTALLED',
    header: { 'X-Site': 'north', 'X-Kind': 'a b' },
  });
  expect(args('gadget tune @selection installed --during -10h --parent "Well 7"')).toMatchObject({
    during: { start: '-10h', end: 'now' },
    parent: 'Well 7',
    gadgets: { selection: true },
  });
  expect(read('gadgets state:ERROR tag:"North field" pump --limit 5').invocation).toEqual({
    id: 'gadget.list',
    args: { filter: 'state:ERROR tag:"North field" pump', limit: 5 },
  });
});

test('a line prints as one would write it, secrets never', () => {
  const line = (given: object): string => printLine({ id: 'gadget.tune', args: { ...given } }, registry);
  expect(line({ gadgets: { query: 'state:ERROR tag:"North field"' }, mode: 'INSTALLED', label: "it's" })).toBe(
    `gadget tune 'state:ERROR tag:"North field"' INSTALLED --label "it's"`,
  );
  expect(line({ gadgets: { query: '' }, password: 'hunter2' })).toBe(`gadget tune '*' --password ${ASK}`);
  expect(printLine({ id: 'gadget.list', args: { sort: ['-inactivity'] } }, registry)).toBe(
    'gadgets --sort -inactivity',
  );
});

test('what is wrong is named where it stands', () => {
  expect(problem('')).toEqual([['', 'core:line.empty']]);
  expect(problem('gizmo tune')).toEqual([['gizmo', 'core:line.noun']]);
  expect(problem('gadget')).toEqual([['gadget', 'core:line.verbMissing']]);
  expect(problem('gadget polish')).toEqual([['polish', 'core:line.verb']]);
  expect(problem("gadget tune 'helth:ERROR' installed")).toEqual([["'helth:ERROR'", 'core:query.key']]);
  expect(problem('gadget tune * off --colour red')).toEqual([
    ['--colour', 'core:line.option'],
    ['red', 'core:line.extra'],
    ['off', 'core:validation.option'],
  ]);
  expect(problem('gadget tune * installed --every --volts 1')).toEqual([['--every', 'core:line.value']]);
  expect(problem("gadget tune 'state:ERROR")).toContainEqual(["'state:ERROR", 'core:line.quote']);
  expect(problem('gadget tune * installed --label a --label b')).toEqual([['a --label b', 'core:line.twice']]);
});

test('a terminal reads ids from standard input or a file', () => {
  const input = (source: string) => (source === '-' ? 'AAAABBBB\nCCCCDDDD\n' : undefined);
  const argv = (target: string) => parseArgv(['gadget', 'tune', target, 'installed'], registry, input);
  expect(argv('-').invocation?.args.gadgets).toEqual({ ids: ['AAAA BBBB', 'CCCC DDDD'] });
  expect(argv('@missing.txt').problems[0]?.message.key).toBe('core:line.input');
  expect(argv('@selection').invocation?.args.gadgets).toEqual({ selection: true });
});

test('a terminal reads a secret from a file, as a whole, and asks for it by @ask', () => {
  const input = (source: string) => (source === '@secret.txt' ? 'two words \n' : undefined);
  const password = (text: string) =>
    parseArgv(['gadget', 'tune', '*', 'installed', '--password', text], registry, input).invocation?.args.password;
  expect(password('@secret.txt')).toBe('two words');
  expect(password('@ask')).toBe(ASK);
  expect(password('plain')).toBe('plain');
});
