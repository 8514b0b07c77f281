import { beforeEach, expect, test } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';

import { recordUse, recentIds, weightsOf } from './habits.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 2, 11);
const context = testContext();
const otherContext = testContext({ organization: { ...context.organization, id: 'acme' } });

beforeEach(() => window.localStorage.clear());

test('gives more weight to frequent and recent use', () => {
  recordUse(context, 'command', 'tag.assign', now - 28 * DAY);
  recordUse(context, 'command', 'tag.assign', now - 28 * DAY);
  recordUse(context, 'command', 'device.rename', now);
  const weights = weightsOf(context, 'command', now);
  expect(weights.get('tag.assign')).toBeCloseTo(0.5);
  expect(weights.get('device.rename')).toBeCloseTo(1);
  expect(recentIds(context, 'command', 1)).toEqual(['device.rename']);
});

test('keeps habits separate by organization and kind', () => {
  recordUse(context, 'tag', '12', now);
  expect(recentIds(otherContext, 'tag', 5)).toEqual([]);
  expect(recentIds(context, 'device', 5)).toEqual([]);
  expect(recentIds(context, 'tag', 5)).toEqual(['12']);
});

test.each(['not json', 'null', '12', '{"tag":null}', '{"tag":{"12":5}}', '{"tag":{"12":["a",1]}}'])(
  'ignores invalid stored data: %s',
  (text) => {
    window.localStorage.setItem('quarterdeck-habits:1:northwind', text);
    expect(recentIds(context, 'tag', 5)).toEqual([]);
    recordUse(context, 'tag', '12', now);
    expect(recentIds(context, 'tag', 5)).toEqual(['12']);
  },
);
