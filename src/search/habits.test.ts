import { beforeEach, expect, it } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';

import { learn, recentOf, weightsOf } from './habits.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 2, 11);
const here = testContext();
const there = testContext({ organization: { ...here.organization, id: 'acme' } });

beforeEach(() => window.localStorage.clear());

it('weighs what is used often and lately', () => {
  learn(here, 'command', 'tag.assign', now - 28 * DAY);
  learn(here, 'command', 'tag.assign', now - 28 * DAY);
  learn(here, 'command', 'device.rename', now);
  const weights = weightsOf(here, 'command', now);
  expect(weights.get('tag.assign')).toBeCloseTo(0.5);
  expect(weights.get('device.rename')).toBeCloseTo(1);
  expect(recentOf(here, 'command', 1)).toEqual(['device.rename']);
});

it('keeps the habits of one organization from another, and of one kind from another', () => {
  learn(here, 'tag', '12', now);
  expect(recentOf(there, 'tag', 5)).toEqual([]);
  expect(recentOf(here, 'device', 5)).toEqual([]);
  expect(recentOf(here, 'tag', 5)).toEqual(['12']);
});

it('begins anew where something else was stored', () => {
  window.localStorage.setItem('quarterdeck-habits:1:northwind', 'no json');
  expect(recentOf(here, 'tag', 5)).toEqual([]);
  learn(here, 'tag', '12', now);
  expect(recentOf(here, 'tag', 5)).toEqual(['12']);
});
