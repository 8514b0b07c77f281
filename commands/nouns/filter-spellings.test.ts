import { describe, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { printFilter } from '#commands/query/print.ts';
import { applyFixes } from '#commands/query/problem.ts';

// A filter typed by a user who doesn't know the filter language yet either works or leads to a suggestion that works.

const entityOf = (name: string) => registry.entity(name)!;

describe('a filter with synonyms', () => {
  test.each([
    ['device', 'order by last', 'sort:last'],
    ['device', 'ORDER BY last desc pump', 'sort:-last pump'],
    ['device', 'sort by -last, name', 'sort:-last,name'],
    ['device', 'sorted by name', 'sort:name'],
    ['device', 'orderby name desc', 'sort:-name'],
    ['device', 'order:last', 'sort:last'],
    ['device', 'sortby:-last', 'sort:-last'],
    ['device', 'sort last', 'sort:last'],
    ['device', 'health:ERROR order by name', 'health:ERROR sort:name'],
    ['webhook', 'order by url', 'sort:url'],
    ['device', '-tag:*', '-tag:*'],
    ['device', 'tag:*', 'tag:*'],
    ['device', '"untagged"', '"untagged"'],
    ['device', 'sort', 'sort'],
    ['device', 'order 66', 'order 66'],
    ['device', 'the ">2d" mark', 'the ">2d" mark'],
  ])('%s: %s means %s', (name, input, text) => {
    const { filter, problems } = parseFilter(input, entityOf(name));
    expect({ problems, text: printFilter(filter) }).toEqual({ problems: [], text });
    expect(printFilter(parseFilter(text, entityOf(name)).filter)).toBe(text);
  });

  test.each([
    ['device', '>2d', 'last>2d'],
    ['device', '> 2 days', 'last> 2 days'],
    ['device', '<=1h health:ERROR', 'last<=1h health:ERROR'],
    ['device', 'untagged', '-tag:*'],
    ['device', 'Untagged pump', '-tag:* pump'],
    ['device', 'no:tag', '-tag:*'],
    ['device', 'has:tags', 'tag:*'],
    ['device', 'without:gateway', '-gateway:*'],
    ['device', 'is:untagged', '-tag:*'],
    ['device', 'status:error', 'health:error'],
    ['device', 'status:installed', 'lifecycle:installed'],
    ['device', 'state:OK', 'health:OK'],
    ['device', '(health:ERROR OR health:WARNING) pump', 'health:ERROR,WARNING pump'],
    ['device', '((health:ERROR) pump)', 'health:ERROR pump'],
    ['device', 'order by lst', 'order by last'],
    ['device', 'view:"In error"', 'view:error'],
    ['device', 'view:"Silent over 2 days"', 'view:silent'],
    ['device', 'lifecycle:"installed devices"', 'lifecycle:INSTALLED'],
    ['webhook', 'status:error', 'health:error'],
    ['webhook', 'enabled', 'active:true'],
    ['webhook', 'status:enabled', 'active:true'],
    ['webhook', 'is:active', 'active:true'],
    ['webhook', 'untagged', '-tag:*'],
    ['webhook', 'view:"Failing"', 'view:failing'],
    ['token', 'expired', 'expired:true'],
    ['token', 'is:expired', 'expired:true'],
    ['token', 'status:expired', 'expired:true'],
  ])('%s: %s leads to %s', (name, input, text) => {
    const { problems } = parseFilter(input, entityOf(name));
    // Fix one problem, as Tab does. The title of a view needs no fix.
    const fixedText = problems[0]
      ? applyFixes(input, problems[0])[0]
      : printFilter(parseFilter(input, entityOf(name)).filter);
    expect(fixedText).toBe(text);
    expect(parseFilter(fixedText ?? '', entityOf(name)).problems).toEqual([]);
  });

  test.each([
    ['webhook', 'disabled', 'webhook:filter.onlyActive'],
    ['webhook', 'status:disabled', 'webhook:filter.onlyActive'],
    ['webhook', '-is:disabled', 'webhook:filter.onlyActive'],
    ['token', 'disabled', 'token:filter.disabled'],
    ['user', 'disabled', 'user:filter.status'],
    ['user', 'status:suspended', 'user:filter.status'],
    ['device', '(a OR b) c', 'core:query.parentheses'],
    ['token', 'order by name', 'core:query.fixedOrder'],
    ['tag', '>2d', 'core:query.noComparableKeys'],
  ])('%s: %s is rejected with an explanation', (name, input, key) => {
    const [problem] = parseFilter(input, entityOf(name)).problems;
    expect([problem?.message.key, problem?.fixes]).toEqual([key, undefined]);
  });
});

const KEYS = [
  'is',
  'has',
  'no',
  'status',
  'state',
  'helth',
  'tag',
  'view',
  'sort',
  'order',
  'last',
  'nonsense',
  'type',
];
const VALUES = [
  'error',
  'eror',
  'disabled',
  'tag',
  'In error',
  '2d',
  '2',
  '>2d',
  '*',
  'a*',
  '!x',
  '',
  'untagged',
  '-last',
];
const SHAPES: readonly ((key: string, value: string) => string)[] = [
  (key, value) => `${key}:${value}`,
  (key, value) => `${key}:"${value}"`,
  (key, value) => `-${key}:${value}`,
  (key, value) => `${key}>${value}`,
  (key, value) => `NOT ${key}=${value} pump`,
  (key, value) => `(${key}:${value} OR ${key}:ok) pump`,
  (key, value) => `((${key}:${value}) or x)`,
  (key, value) => `${key} by ${value} desc`,
  (_key, value) => value,
  (_key, value) => `>${value} <${value}`,
];

test.each(registry.entities.map((entity) => [entity.name, entity] as const))(
  'suggests only valid corrections for a %s filter',
  (_name, entity) => {
    const failures: string[] = [];
    for (const key of KEYS) {
      for (const value of VALUES) {
        for (const shape of SHAPES) {
          const input = shape(key, value);
          for (const fix of parseFilter(input, entity).problems.flatMap(({ fixes }) => fixes ?? [])) {
            if (parseFilter(fix, entity).problems.length > 0) failures.push(`${input} → ${fix}`);
          }
        }
      }
    }
    expect(failures.slice(0, 10)).toEqual([]);
  },
);
