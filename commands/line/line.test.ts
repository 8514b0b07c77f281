import fc from 'fast-check';
import { expect, test } from 'vitest';

import { listCommand } from '#commands/kit/standard.ts';
import { ASK, type ArgValue } from '#commands/model/arg-value.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { invocations } from '#commands/testkit/arbitrary.ts';
import { gadget, reset, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { parseList, printList, readQuoted } from '#commands/text/quotes.ts';

import { parseArgv, parseLine, parseValue, parseValues, printLine, printValue, toArgv } from './line.ts';
import { fromSearch, toSearch } from './link.ts';
import { splitWords } from './shell.ts';

const registry = createRegistry([{ entity: gadget, commands: [tune, reset, listCommand(gadget)] }]);
const parse = (line: string) => parseLine(line, registry);
const args = (line: string) => parse(line).invocation?.args;
const problem = (line: string) =>
  parse(line).problems.map(({ from, to, message }) => [line.slice(from, to), message.key]);

test('round-trips every invocation as a line, as argv, and as a link', () => {
  fc.assert(
    fc.property(invocations(tune), (invocation) => {
      expect(parse(printLine(invocation, registry)).invocation).toEqual(invocation);
      expect(parseArgv(toArgv(invocation, registry), registry).invocation).toEqual(invocation);
      expect(fromSearch(toSearch(invocation, registry), registry)?.invocation).toEqual(invocation);
    }),
  );
});

test('parses any text without throwing', () => {
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
      const { invocation, problems } = parse(line);
      expect(invocation === undefined).toBe(problems.length > 0);
      expect(problems.every(({ from, to }) => from <= to && to <= line.length)).toBe(true);
    }),
  );
});

test('parses lines as people type them', () => {
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
  expect(parse('gadgets state:ERROR tag:"North field" pump --limit 5').invocation).toEqual({
    id: 'gadget.list',
    args: { filter: 'state:ERROR tag:"North field" pump', limit: 5 },
  });
});

test('prints lines as people write them, without secrets', () => {
  const line = (input: object): string => printLine({ id: 'gadget.tune', args: { ...input } }, registry);
  expect(line({ gadgets: { query: 'state:ERROR tag:"North field"' }, mode: 'INSTALLED', label: "it's" })).toBe(
    `gadget tune 'state:ERROR tag:"North field"' INSTALLED --label "it's"`,
  );
  expect(line({ gadgets: { query: '' }, password: 'hunter2' })).toBe(`gadget tune '*' --password ${ASK}`);
  expect(printLine({ id: 'gadget.list', args: { sort: ['-inactivity'] } }, registry)).toBe(
    'gadgets --sort -inactivity',
  );
});

test('points at each problem in the line', () => {
  expect(problem('')).toEqual([['', 'running:line.empty']]);
  expect(problem('gizmo tune')).toEqual([['gizmo', 'running:line.noun']]);
  expect(problem('gadget')).toEqual([['gadget', 'running:line.verbMissing']]);
  expect(problem('gadget polish')).toEqual([['polish', 'running:line.verb']]);
  expect(problem("gadget tune 'helth:LOW' installed")).toEqual([["'helth:LOW'", 'core:query.key']]);
  expect(problem('gadget tune * off --color red')).toEqual([
    ['--color', 'running:line.option'],
    ['red', 'running:line.extra'],
    ['off', 'core:validation.option'],
  ]);
  expect(problem('gadget tune * installed --every --volts 1')).toEqual([['--every', 'running:line.value']]);
  expect(problem("gadget tune 'state:ERROR")).toContainEqual(["'state:ERROR", 'running:line.quote']);
  expect(problem('gadget tune * installed --label a --label b')).toEqual([['a --label b', 'running:line.twice']]);
});

test('reads ids from standard input or a file in a terminal', () => {
  const missingFile = { problem: message('running:line.file.missing', { path: 'missing.txt' }) };
  const input = (source: string) => (source === '-' ? 'AAAABBBB\nCCCCDDDD\n' : missingFile);
  const argv = (target: string) => parseArgv(['gadget', 'tune', target, 'installed'], registry, input);
  expect(argv('-').invocation?.args.gadgets).toEqual({ ids: ['AAAA BBBB', 'CCCC DDDD'] });
  expect(argv('@missing.txt').problems[0]?.message).toEqual(missingFile.problem);
  expect(argv('@selection').invocation?.args.gadgets).toEqual({ selection: true });
});

test('writes an argument that looks like an option, and every argument after it, with its name', () => {
  const query = '--north';
  expect(toArgv({ id: 'gadget.list', args: { filter: query } }, registry)).toEqual(['gadgets', `--filter=${query}`]);
  const args = { gadgets: { query }, mode: 'INSTALLED' };
  expect(toArgv({ id: 'gadget.tune', args }, registry).slice(2)).toEqual([`--gadgets=${query}`, '--mode', 'INSTALLED']);
});

test('keeps line breaks and leading spaces of a secret from a file', () => {
  const input = () => '  first line\nsecond, line\n\n';
  const argv = ['gadget', 'tune', '*', 'installed', '--password', '@key.pem'];
  expect(parseArgv(argv, registry, input).invocation?.args.password).toBe('  first line\nsecond, line');
});

test('reads a secret from a file and prompts for it with @ask', () => {
  const input = (source: string) => (source === '@secret.txt' ? 'two words \n' : source);
  const password = (text: string) =>
    parseArgv(['gadget', 'tune', '*', 'installed', '--password', text], registry, input).invocation?.args.password;
  expect(password('@secret.txt')).toBe('two words');
  expect(password('@ask')).toBe(ASK);
  expect(password('plain')).toBe('plain');
});

const roles = (line: string) =>
  parse(line).words.map(({ text, role, param }) => [text, role, ...(param ? [param] : [])]);

test('gives every word a role, even in an invalid line', () => {
  expect(roles('gadget tune * --volts 1 --dry-run installed')).toEqual([
    ['gadget', 'noun'],
    ['tune', 'verb'],
    ['*', 'value', 'gadgets'],
    ['--volts', 'option', 'volts'],
    ['1', 'value', 'volts'],
    ['--dry-run', 'option', 'dryRun'],
    ['installed', 'value', 'mode'],
  ]);
  expect(roles('gadgets pump')).toEqual([
    ['gadgets', 'plural'],
    ['pump', 'value', 'filter'],
  ]);
  expect(roles('gizmo tune x')).toEqual([['gizmo', 'wrong']]);
  expect(roles('gadget polish x')).toEqual([
    ['gadget', 'noun'],
    ['polish', 'wrong'],
  ]);
  expect(roles('gadget')).toEqual([['gadget', 'wrong']]);
  // All words of a repeated option count as its value.
  expect(parse('gadget tune * installed --volts 1 --volts 2').words.map(({ role }) => role)).not.toContain('wrong');
  expect(roles('gadget reset x --y')).toEqual([
    ['gadget', 'noun'],
    ['reset', 'verb'],
    ['x', 'wrong'],
    ['--y', 'wrong'],
  ]);
});

test('lists the valid choices in each problem', () => {
  const values = (line: string) =>
    parse(line).problems.map(({ message, param }) => [message.key, message.values, param]);
  expect(values('gizmo')).toEqual([['running:line.noun', { value: 'gizmo', nouns: 'gadget' }, undefined]]);
  expect(values('gadget polish')).toEqual([
    ['running:line.verb', { noun: 'gadget', verbs: 'tune, reset, list', value: 'polish' }, undefined],
  ]);
  expect(values('gadget')).toEqual([
    ['running:line.verbMissing', { noun: 'gadget', verbs: 'tune, reset, list' }, undefined],
  ]);
  expect(values('gadget reset --y')).toEqual([['running:line.noOptions', { value: '--y' }, undefined]]);
  expect(values('gadget tune * installed --every')).toEqual([['running:line.value', { option: '--every' }, 'every']]);
  expect(values('gadget tune * installed --no-mode')[0]?.[0]).toBe('running:line.option');
  expect(values('gadget tune * installed --volts x')).toEqual([['core:validation.numeric', { value: 'x' }, 'volts']]);
  expect(values(`gadget reset 'x`)).toEqual([
    ['running:line.quote', { position: 14 }, undefined],
    ['running:line.extra', { value: 'x' }, undefined],
  ]);
  expect(parse(`gadget tune * installed --label 'x`).problems).toMatchObject([{ from: 32, to: 34 }]);
  expect(parse(`gadget tune * installed --label 'x`).invocation).toBeUndefined();
});

test('suggests a correction for a misspelled word', () => {
  const nearMatches = (line: string, localWords?: string[]) => {
    const { words } = splitWords(line);
    const [problem] = parseArgv(
      words.map(({ text }) => text),
      registry,
      undefined,
      localWords,
    ).problems;
    return [problem?.message.key, problem?.message.values?.['near']];
  };
  // The plural lists items, so it is suggested as well as the noun.
  expect(nearMatches('gadgtes')).toEqual(['running:line.near', 'gadgets, gadget']);
  expect(nearMatches('Gadget tune')).toEqual(['running:line.near', 'gadget, gadgets']);
  expect(nearMatches('gadget tun')).toEqual(['running:line.near', 'gadget tune']);
  // Verbs that other tools use.
  expect(nearMatches('gadget ls')).toEqual(['running:line.near', 'gadget list']);
  expect(nearMatches('gadget show 7')).toEqual(['running:line.verb', undefined]);
  // A verb without its noun.
  expect(nearMatches('tune *')).toEqual(['running:line.near', 'gadget tune']);
  expect(nearMatches('gadget tune * installed --labl x')).toEqual(['running:line.optionNear', '--label']);
  expect(nearMatches('gadget tune * installed --labl=x')).toEqual(['running:line.optionNear', '--label']);
  expect(nearMatches('gadget tune * instaled')).toEqual(['core:validation.optionNear', 'INSTALLED']);
  // These words are accepted only in a terminal. A noun is never suggested as an option.
  expect(nearMatches('logn', ['login', '--json'])).toEqual(['running:line.near', 'login']);
  expect(nearMatches('gadget reset --jsn', ['login', '--json'])).toEqual(['running:line.optionNear', '--json']);
  expect(nearMatches('gadget reset --login', ['login', '--json'])).toEqual(['running:line.noOptions', undefined]);
  expect(nearMatches('json', ['login', '--json'])).toEqual(['running:line.noun', undefined]);
  expect(parseArgv(['zzz'], registry, undefined, ['undo']).problems[0]?.message.values?.['nouns']).toBe('gadget, undo');
});

test('accepts options in either form and by either name', () => {
  const argsFor = (line: string) => args(`gadget tune * installed ${line}`);
  expect(argsFor('--dryRun')).toMatchObject({ dryRun: true });
  expect(argsFor('--no-dry-run')).toMatchObject({ dryRun: false });
  expect(argsFor('--dry-run=FALSE --audible=true')).toMatchObject({ dryRun: false, audible: true });
  expect(argsFor('--label=a=b --volts=3')).toMatchObject({ label: 'a=b', volts: 3 });
  expect(argsFor("--label=--x --password ''")).toMatchObject({ label: '--x', password: '' });
  expect(args('gadget tune --mode installed a b')).toEqual({ mode: 'INSTALLED', gadgets: { named: 'a b' } });
});

test('treats plain words as names and searches after *', () => {
  const target = (text: string) => {
    const result = parseValue(tune.params.gadgets!, text);
    return 'value' in result ? result.value : result.problem.key;
  };
  const names = ['Well 7', 'Well 7, north pump,AAAA BBBB', '"state:ERROR","a, b"', 'North and South (old)'];
  for (const name of names) expect(target(` ${name} `)).toEqual({ named: name });
  expect(target('* Well')).toEqual({ query: 'Well' });
  expect(target('state:error Well')).toEqual({ query: 'state:ERROR Well' });
  expect(target('sort:name Well')).toEqual({ query: 'sort:name Well' });
  expect(target('*')).toEqual({ query: '' });
  expect(parseValue(tune.params.gadgets!, 'Well*')).toEqual({
    problem: { key: 'running:line.starredName', values: { word: 'Well*', search: '* Well' } },
  });
  for (const emptyTarget of ['""', ',', ' ']) expect(target(emptyTarget)).toBe('core:validation.required');
  for (const wrong of ['-Well', '"Well', 'a or b', 'helth:OK', '(state:OK)', '-(a b)'])
    expect(target(wrong)).toMatch(/^core:query\./);
  const print = (value: ArgValue) => printValue(tune.params.gadgets!, value);
  expect(print({ query: 'Well' })).toBe('* Well');
  expect(print({ named: 'Well 7,"a,b"' })).toBe('Well 7,"a,b"');
});

test('joins extra positional words only if the last argument accepts the rest of the line', () => {
  expect(problem('gadget tune * installed more')).toEqual([['more', 'running:line.extra']]);
  expect(args('gadgets')).toEqual({});
  expect(args(`gadgets pump -tag:'North field' x`)).toEqual({ filter: '-tag:"North field" pump x' });
  expect(args(`gadgets seen:'last month' a 'b c'`)).toEqual({ filter: 'seen:"last month" a b c' });
});

test('locates problems in argv by their positions in the equivalent line', () => {
  const argv = ['gadget', 'tune', 'north pump', 'off'];
  const { problems, words } = parseArgv(argv, registry);
  const line = "gadget tune 'north pump' off";
  expect(problems.map(({ from, to }) => line.slice(from, to))).toEqual(['off']);
  expect(words.map(({ from, to }) => line.slice(from, to))).toEqual(['gadget', 'tune', "'north pump'", 'off']);
});

test('reads only lists and secrets from files, with one item per line', () => {
  const missingFile = { problem: message('running:line.file.missing', { path: 'missing' }) };
  const files: Record<string, string> = { '-': ' a,b \n\n c \n', '@one': 'a, b\n', '@none': '' };
  const argsFor = (...words: string[]) =>
    parseArgv(['gadget', 'tune', '*', 'installed', ...words], registry, (source) => files[source] ?? missingFile)
      .invocation?.args;
  expect(argsFor('--keywords', '-')).toMatchObject({ keywords: ['a,b', 'c'] });
  expect(argsFor('--keywords', '@one')).toMatchObject({ keywords: ['a', 'b'] });
  expect(argsFor('--keywords', '@none')).toMatchObject({ keywords: [] });
  expect(argsFor('--neighbors', '-', '--neighbors', 'd')).toMatchObject({ neighbors: ['a,b', 'c', 'd'] });
  expect(argsFor('--label', '-', '--parent', '@one')).toMatchObject({ label: '-', parent: '@one' });
  expect(argsFor('--keywords', '@missing')).toBeUndefined();
  expect(argsFor('--password', '@missing')).toBeUndefined();
  const problemOf = (...words: string[]) =>
    parseArgv(['gadget', 'tune', ...words], registry, (source) => files[source] ?? missingFile).problems[0]?.message;
  const emptyInput = message('running:line.emptyInput', { source: '@none' });
  expect(problemOf('*', 'installed', '--password', '@none')).toEqual(emptyInput);
  expect(problemOf('@none', 'installed')).toEqual(emptyInput);
  expect(args('gadget tune * installed --keywords -')).toMatchObject({ keywords: ['-'] });
});

test('parses and prints a value according to its param', () => {
  const { volts, gadgets, during: duringParam } = tune.params;
  expect([printValue(volts!, -0), parseValue(volts!, ' 1e1 ')]).toEqual(['-0', { value: 10 }]);
  expect(parseValue(volts!, ' ')).toHaveProperty('problem');
  expect(printValue(gadgets!, { ids: ['AAAA BBBB', 'x'] })).toBe('AAAA BBBB,#x');
  expect(printValue(gadgets!, { query: 'AAAABBBB' })).toBe('* AAAABBBB');
  expect(parseValue(gadgets!, '#x, aaaabbbb,#x')).toEqual({ value: { ids: ['X', 'AAAA BBBB'] } });
  expect(parseValue(gadgets!, ' ')).toEqual({ problem: { key: 'core:validation.required' } });
  expect(parseValue(gadgets!, ' @SELECTION ')).toEqual({ value: { selection: true } });
  expect(parseValue(gadgets!, '#')).toEqual({ value: { named: '#' } });
  expect(printValue(duringParam!, { start: '-10h', end: '-10h' })).toBe('-10h..-10h');
  expect(printValue(duringParam!, { start: 'now', end: 'now' })).toBe('now');
  const range = (text: string) => parseValue(duringParam!, text);
  expect(range('10h')).toEqual({ value: { start: '-10h', end: 'now' } });
  expect(range('-10h')).toEqual({ value: { start: '-10h', end: 'now' } });
  expect(range('2026-01-31')).toEqual({ value: { start: '2026-01-31', end: '2026-01-31' } });
  expect(range('-10h..-2h')).toEqual({ value: { start: '-10h', end: '-2h' } });
  for (const wrong of ['..', '-10h..', '..now', 'now..now..now', 'whenever']) {
    expect(range(wrong), wrong).toEqual({ problem: { key: 'core:validation.range', values: { value: wrong } } });
  }
});

test('splits pairs at the first equals sign outside quotes', () => {
  const { header, picture, events } = tune.params;
  expect(parseValue(header!, ' a =b=c')).toEqual({ value: { a: 'b=c' } });
  expect(parseValue(header!, '"a=b"=c')).toEqual({ value: { 'a=b': 'c' } });
  expect(parseValue(header!, '')).toEqual({ value: {} });
  expect(parseValues(header!, ['a=b', 'A=c'])).toEqual({ value: { a: 'b', A: 'c' } });
  expect(parseValues(header!, ['a=b', ' a =c'])).toEqual({
    problem: { key: 'core:validation.pairTwice', values: { name: 'a' } },
  });
  expect(parseValue(header!, 'a')).toEqual({ problem: { key: 'core:validation.pair', values: { value: 'a' } } });
  expect(printValue(header!, { '': 'x', ' a': 'y', 'b=c': 'z', d: '' })).toBe('""=x " a"=y "b=c"=z d=');
  expect(parseValue(picture!, '@x')).toEqual({ value: '@x' });
  expect(parseValue(picture!, 'x@y')).toEqual({ value: '@x@y' });
  expect(parseValue(picture!, '@')).toHaveProperty('problem');
  expect(parseValue(picture!, '')).toEqual({ value: '' });
  expect(parseValue(events!, 'message-received,nothing')).toMatchObject({ problem: { values: { value: 'nothing' } } });
  expect(parseValue(events!, 'message-received')).toEqual({ value: ['MESSAGE_RECEIVED'] });
});

test('keeps quoted list items and ignores empty items', () => {
  expect(parseList(' a ,, "" ," b " , "c,\\"d\\\\" ')).toEqual(['a', '', ' b ', 'c,"d\\']);
  expect(parseList('a "b"')).toEqual(['a "b"']);
  expect(parseList('"a" b')).toEqual(['ab']);
  expect(printList(['a', '', ' b', 'c ', 'd,e', 'f"', '-', '@g', 'h-'])).toBe(
    'a,""," b","c ","d,e","f\\"","-","@g",h-',
  );
  expect(readQuoted('x"a\\bc', 1)).toEqual({ text: 'a\\bc', to: 6, isUnclosed: true });
  expect(readQuoted('"a"b', 0)).toEqual({ text: 'a', to: 3, isUnclosed: false });
});

test('throws if the command is unknown, and returns nothing if the link is empty', () => {
  expect(() => printLine({ id: 'gadget.unknown', args: {} }, registry)).toThrow(RangeError);
  for (const search of [{}, { run: '' }, { run: ' ' }, { run: 7 }])
    expect(fromSearch(search, registry)).toBeUndefined();
  expect(printLine({ id: 'gadget.reset', args: {} }, registry)).toBe('gadget reset');
  expect(printLine({ id: 'gadget.tune', args: { header: {}, dryRun: false } }, registry)).toBe(
    "gadget tune --no-dry-run --header ''",
  );
});
