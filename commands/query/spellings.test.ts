import { describe, expect, test } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { compileText } from './compile.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import { type FilterError, applyFixes } from './problem.ts';

describe('spellings from other query languages', () => {
  test.each([
    ['state!=OK', '-state:OK'],
    ['state <> OK', '-state:OK'],
    ['-state!=OK', 'state:OK'],
    ['state=OK', 'state:OK'],
    ['state == OK', 'state:OK'],
    ['!state:OK', '-state:OK'],
    ['NOT state:OK', '-state:OK'],
    ['not state = OK', '-state:OK'],
    ['state: OK', 'state:OK'],
    ['tag: "North field"', 'tag:"North field"'],
    ["tag:'North field'", 'tag:"North field"'],
    ['tag: a, "North field" pump', 'tag:"North field",a pump'],
    ["tag:a , b ,'North field', c", 'tag:"North field",a,b,c'],
    ['-state:ok, error', '-state:ERROR,OK'],
    ['state:ok, pump', 'state:OK pump'],
    ['state:not seen pump', 'state:NOT_SEEN pump'],
    ['-state:ok,not seen pump', '-state:NOT_SEEN,OK pump'],
    ['state:ok seen', 'state:OK seen'],
    ['tag:“North field”,„a“ “avocet 12”', 'tag:"North field",a "avocet 12"'],
    ['‘avocet 12’', '"avocet 12"'],
    ['tag:"“a" "„a" tag:">a"', 'tag:">a" tag:"“a" "„a"'],
    ['seen:>2d', 'seen>2d'],
    ['seen:<= 2d', 'seen<2d'],
    ["'avocet 12' O'Brien 'tis", `"avocet 12" O'Brien "'tis"`],
    ['state:OK AND pump', 'state:OK pump'],
    ['state:OK && tag:a & pump', 'state:OK tag:a pump'],
    ['seen>2 days', 'seen>2d'],
    ['seen > 2 days ago pump', 'seen>2d pump'],
    ['seen>2d ago', 'seen>2d'],
    ['seen >1 day 3 hours', 'seen>1d3h'],
    ['seen:last month', 'seen:"last month"'],
    ['seen<2026-01-31 20:00', 'seen<"2026-01-31 20:00"'],
    ['seen:2d..1 day', 'seen:2d..1d'],
    ['seen>=2d', 'seen>2d'],
    ['seen>=2026-02-01', 'seen>2026-01-31'],
    ['seen<=2026-02-01', 'seen<2026-02-02'],
    ['volts >= 5', 'volts>5'],
    ['sort: -name', 'sort:-name'],
    ['SORT: -name', 'sort:-name'],
    ['sort:name desc pump', 'sort:-name pump'],
    ['sort:name,inactivity Descending', 'sort:name,-inactivity'],
    ['sort:-name desc', 'sort:-name'],
    ['sort:name asc', 'sort:name'],
    ['state:OK desc', 'state:OK "desc"'],
    ['sort:name "desc"', 'sort:name "desc"'],
    ['state: OK pump', 'state:OK pump'],
    ['tag:,a pump', 'tag:a pump'],
    ['seen>2d 3h', 'seen>2d 3h'],
    ['seen>1 day 3 hours 5 minutes pump', 'seen>1d3h5m pump'],
    ['seen>1 week 2 days 3 hours 4 minutes 5 seconds ago', 'seen>9d3h4m5s'],
    ['seen<2026-01-31 20:00 ago', 'seen<"2026-01-31 20:00"'],
    ['pump and', 'pump "and"'],
    ['last >', 'last ">"'],
    ["O'Brien' '*'", `O'Brien' "*"`],
    ['firmware:1.4.*', 'firmware:1.4.*'],
    ['firmware:"North f"*', 'firmware:"North f"*'],
    ['firmware:a**b', 'firmware:a*b'],
    ['state:not*', 'state:NOT*'],
  ])('reads %s as %s', (typed, text) => {
    const { filter, problems } = parseFilter(typed, gadget);
    expect({ text: printFilter(filter), problems }).toEqual({ text, problems: [] });
    expect(printFilter(parseFilter(text, gadget).filter)).toBe(text);
  });
});

test('reads listed or hyphenated ids as items and other ids as words', () => {
  const entity = { ...gadget, idKey: 'tag' };
  const printParsed = (text: string) => printFilter(parseFilter(text, entity).filter);
  expect([
    printParsed('aaaa bbbb, CCCC DDDD,eeeeffff pump'),
    printParsed('aaaa-bbbb state:OK'),
    printParsed('aaaabbbb,ccccdddd'),
    printParsed('aaaa bbbb'),
    printParsed('aaaa bbbb, pump'),
    printParsed('"aaaa-bbbb"'),
    printParsed('pump aaaa-bbbb'),
  ]).toEqual([
    'tag:"AAAA BBBB","CCCC DDDD","EEEE FFFF" pump',
    'state:OK tag:"AAAA BBBB"',
    'tag:"AAAA BBBB","CCCC DDDD"',
    'aaaa bbbb',
    'aaaa "bbbb," pump',
    '"aaaa-bbbb"',
    'tag:"AAAA BBBB" pump',
  ]);
  expect(printFilter(parseFilter('aaaa-bbbb', gadget).filter)).toBe('"aaaa-bbbb"');
});

describe('unsupported syntax', () => {
  test.each([
    ['state:OK OR state:ERROR pump', 'state:OK,ERROR pump'],
    ['state:OK || state:ERROR || state:WARNING', 'state:OK,ERROR,WARNING'],
    ['state:OK or STATE:ERROR', 'state:OK,ERROR'],
    ['(state:OK pump)', 'state:OK pump'],
    ['(state:ERROR', 'state:ERROR'],
    ['state:ERROR)', 'state:ERROR'],
    ['((state:OK) pump)', 'state:OK pump'],
    ['(state:OK OR state:eror) pump', 'state:OK,ERROR pump'],
    ['> 2d', 'seen> 2d'],
    ['"seen" > 2d', '"seen" seen> 2d'],
    ['-(state:OK)', '-state:OK'],
    ['-(state:OK pump', '-state:OK pump'],
    ['NOT (state:OK)', '-state:OK'],
    ['pu*', 'pu'],
    ['statee:OK pump', 'state:OK pump'],
    ['state:eror', 'state:ERROR'],
    ['state:OK,eror', 'state:OK,ERROR'],
    ['state:eror*', 'state:ERROR'],
    ['state:!OK', '-state:OK'],
    ['state~err', 'state:*err*'],
    ['tag=~x pump', 'tag:x pump'],
    ['firmware=~x pump', 'firmware:*x* pump'],
    ['volts~5', 'volts:5'],
    ['firmware ~ north', 'firmware:*north*'],
    ['tag ~north pump', 'tag:north pump'],
    ['name~pump', 'pump'],
    ['name =~ pump well', 'pump well'],
    ['state:-ok', '-state:OK'],
    ['name:pump', 'pump'],
    ['color:red', '"color:red"'],
    ['sort:nam', 'sort:name'],
    ['sort:-inactvity', 'sort:-inactivity'],
    ['sort:-nme', 'sort:-name'],
    ['view:brokn', 'view:broken'],
    ['seen>2', 'seen>2d'],
    ['-seen>2d', 'seen<2d'],
    ['-seen<2d', 'seen>2d'],
    ['tag:"North', 'tag:"North"'],
    ['seen:"2" days', 'seen:2d days'],
    ['online:maybe', 'online:true'],
  ])('rejects %s and suggests %s', (typed, text) => {
    const [problem] = parseFilter(typed, gadget).problems;
    expect(applyFixes(typed, problem!)[0]).toBe(text);
  });

  test.each([
    ['pump OR well', 'core:query.or'],
    ['state:OK or pump', 'core:query.or'],
    ['-state:OK or -state:ERROR', 'core:query.or'],
    ['-(state:OK pump)', 'core:query.negatedGroup'],
    ['NOT pump', 'core:query.negatedWord'],
    ['color:', 'core:query.key'],
    ['seen >', 'core:query.empty'],
    ['seen>="last month"', 'core:query.form'],
    ['tag:"" pump', 'core:query.empty'],
    ['tag: -pump', 'core:query.empty'],
    ['state:!zzz', 'core:query.option'],
    ['tag:x*', 'core:query.star'],
  ])('rejects %s with %s and no suggestion', (typed, key) => {
    const [problem] = parseFilter(typed, gadget).problems;
    expect([problem?.message.key, problem?.fixes]).toEqual([key, undefined]);
  });
});

test('searches for quoted operators and for words that contain an operator', () => {
  const words = (text: string) => parseFilter(text, gadget).filter.words;
  expect(words('"OR" "(x)" "a*" "!x" "state=OK"')).toEqual(['OR', '(x)', 'a*', '!x', 'state=OK']);
  expect(words('ORANGE pump(1) a!b notes')).toEqual(['ORANGE', 'pump(1)', 'a!b', 'notes']);
  expect(words('https://example.com/in?a=b HTTP://x')).toEqual(['https://example.com/in?a=b', 'HTTP://x']);
  expect(words('or')).toEqual(['or']);
  expect(words('and pump')).toEqual(['and', 'pump']);
});

describe('looking up names', () => {
  const termsOf = async (text: string) =>
    ((await compileText(gadget, text, testContext())).selection as { terms: { test: object }[] }).terms.map(
      ({ test: termTest }) => termTest,
    );
  const rejection = (text: string): Promise<FilterError> =>
    compileText(gadget, text, testContext()).then(
      () => Promise.reject(new Error(`${text} should have been rejected`)),
      (error: FilterError) => error,
    );

  test('expands a star to all matching values of a complete list', async () => {
    expect(await termsOf('firmware:1.4.*')).toEqual([{ values: ['1.4.0', '1.4.1'] }]);
    expect(await termsOf('firmware:2.0,*.1')).toEqual([{ values: ['2.0', '1.4.1'] }]);
    expect(await termsOf('firmware:"A*"')).toEqual([{ values: ['A*'] }]);
    expect(await termsOf('state:*ing')).toEqual([{ values: ['WARNING'] }]);
  });

  test('rejects a value without matches and suggests the nearest values', async () => {
    for (const text of ['pump firmware:1.4.9', 'pump firmware:1.4.9*']) {
      const error = await rejection(text);
      expect(error).toMatchObject({ name: 'FilterError', userMessage: { key: 'common:filter.unknownNear' } });
      expect(applyFixes(text, error.problem)).toContain('pump firmware:1.4.0');
    }
    const second = 'state:OK firmware:1.4.9';
    expect(applyFixes(second, (await rejection(second)).problem)).toContain('state:OK firmware:1.4.0');
    expect((await rejection('firmware:zzz')).userMessage).toEqual({
      key: 'common:filter.unknown',
      values: { key: 'firmware', value: 'zzz', names: '1.4.0, 1.4.1, 2.0, A*' },
    });
  });

  test('rejects contradictory terms and suggests a term for either value', async () => {
    const text = 'state:OK pump state:ERROR';
    const error = await rejection(text);
    expect(error.userMessage).toEqual({
      key: 'common:filter.exclusion',
      values: { key: 'state', entity: { key: 'gadget:one' }, either: 'state:ERROR,OK' },
    });
    expect(applyFixes(text, error.problem)).toEqual(['state:ERROR,OK pump']);
    const filter = '-state:WARNING state:OK pump state:ERROR';
    expect(applyFixes(filter, (await rejection(filter)).problem)).toEqual(['-state:WARNING state:ERROR,OK pump']);
    await expect(termsOf('state:OK,ERROR state:ERROR')).resolves.toHaveLength(2);
  });
});
