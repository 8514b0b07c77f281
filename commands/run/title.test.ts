import { expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { Focus } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { SELECTION } from '#commands/model/target.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';

import { titleFor } from './title.ts';

const paint = command({
  id: 'gadget.paint',
  effect: 'write',
  params: { gadgets: p.many(() => gadget), color: p.text() },
  positional: ['gadgets'],
  plan: simplePlan,
  run: async () => ({}),
});
const build = command({
  id: 'gadget.build',
  effect: 'write',
  params: { names: p.words(), colors: p.words() },
  positional: ['names'],
  plan: simplePlan,
  run: async () => ({}),
});

const focus = (parts: Partial<Focus>): Focus => ({ entity: gadget.name, ...parts });
const active = focus({ active: 'A' });
const two = focus({ target: { ids: ['A', 'B'] }, count: 2 });
const error = { query: 'state:ERROR' };
const matching = focus({ target: error, count: 214 });

test.each<[what: string, args: Args, on: Focus | undefined, count: number]>([
  ['one item without a target', {}, undefined, 1],
  ['the active row', {}, active, 1],
  ['the selection', {}, two, 2],
  ['an explicit selection', { gadgets: SELECTION }, two, 2],
  ['one item if the selection is in another table', {}, { ...two, entity: 'widget' }, 1],
  ['one of the selected items', { gadgets: { ids: ['A'] } }, two, 1],
  ['items given by id', { gadgets: { ids: ['A', 'B', 'C'] } }, active, 3],
  ['all matching items', { gadgets: error }, matching, 214],
  ['a single matching item', { gadgets: error }, { ...matching, count: 1 }, 1],
  ['an uncounted filter as several', { gadgets: { query: 'state:OK' } }, matching, 2],
])('counts %s', (_, args, on, count) => {
  expect(titleFor(paint, args, testContext({ focus: on })).values).toEqual({ count });
});

test('counts the names given for new items', () => {
  const countOf = (args: Args) => titleFor(build, args, testContext()).values;
  expect(
    [{}, { names: [] }, { names: ['A'] }, { names: ['A', 'B'] }, { colors: ['red', 'blue'] }].map(countOf),
  ).toEqual([1, 1, 1, 2, 1].map((count) => ({ count })));
});
