import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test, vi } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget as baseGadget, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { agreesWithOutline, countMatching, planOutline } from './outline.ts';

const gadget = baseGadget as Entity<Gadget>;
const plan: Plan = { summary: message('gadget:set'), count: 2, changes: [], reversible: true };

/** Creates a command with an outline that records its calls or throws `rejection`. `on` gives the command a target. */
function outlineSetup({ rejection, on = true }: { readonly rejection?: Error; readonly on?: boolean } = {}) {
  const calls: { readonly state: unknown; readonly gadgets: unknown; readonly query: string }[] = [];
  const outlinedCommand: Command = command({
    id: 'gadget.set',
    on: () => gadget,
    requires: 'EDIT_DEVICE',
    effect: 'write',
    params: { state: required(p.choice(['OK', 'ERROR'])), ...(on ? { gadgets: p.many(() => gadget) } : {}) },
    plan: async () => plan,
    outline: async (_context, { state, ...others }, query) => {
      if (rejection !== undefined) throw rejection;
      calls.push({ state, gadgets: (others as Record<string, unknown>)['gadgets'], query });
      return plan;
    },
    run: async () => ({}),
  });
  return { command: outlinedCommand, calls };
}
const filterArgs = { state: 'OK', gadgets: { query: 'state:ERROR' } };

describe('an outline', () => {
  test('receives the filter and the other params but not the items', async () => {
    const { command, calls } = outlineSetup();
    expect(await planOutline(command, filterArgs, testContext())).toBe(plan);
    const context = testContext({
      focus: { entity: 'gadget', target: { query: 'north' }, count: 2, name: plan.summary },
    });
    expect(await planOutline(command, { state: 'ERROR', gadgets: { selection: true } }, context)).toBe(plan);
    expect(calls).toEqual([
      { state: 'OK', gadgets: undefined, query: 'state:ERROR' },
      { state: 'ERROR', gadgets: undefined, query: 'north' },
    ]);
  });

  test.each<
    [string, ReturnType<typeof outlineSetup>, Parameters<typeof planOutline>[1], Parameters<typeof testContext>[0]]
  >([
    ['for items given by id', outlineSetup(), { state: 'OK', gadgets: { ids: ['AAAA BBBB'] } }, {}],
    ['for an empty selection', outlineSetup(), { state: 'OK', gadgets: { selection: true } }, {}],
    ['if a required argument is missing', outlineSetup(), { gadgets: { query: '' } }, {}],
    ['for a command without a target', outlineSetup({ on: false }), { state: 'OK' }, {}],
    [
      'for a command that is not permitted',
      outlineSetup(),
      filterArgs,
      { actor: { ...testContext().actor, abilities: new Set() } },
    ],
    ['if it is rejected', outlineSetup({ rejection: new CommandError(message('gadget:rejected')) }), filterArgs, {}],
  ])('is undefined %s', async (_, { command, calls }, args, parts) => {
    expect(await planOutline(command, args, testContext(parts))).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('falls back to the match count above 1,000', async () => {
    const { outline: _, ...commandWithoutOutline } = outlineSetup().command;
    expect(await planOutline(commandWithoutOutline, filterArgs, testContext())).toBeUndefined();
    const outlineFor = async (total: number, command: Command = commandWithoutOutline) => {
      const list = vi.spyOn(gadget, 'list').mockResolvedValue({ items: [], total });
      const outline = await planOutline(command, filterArgs, testContext());
      list.mockRestore();
      return outline;
    };
    expect([(await outlineFor(1000))?.count, (await outlineFor(1001))?.count]).toEqual([undefined, 1001]);
    // A command that changes nothing has no plan.
    const { plan: __, ...readOnly } = commandWithoutOutline;
    expect(await outlineFor(1001, readOnly)).toBeUndefined();
    const uncountable = { ...commandWithoutOutline, outline: async () => undefined } satisfies Command;
    expect((await outlineFor(1001, uncountable))?.summary.key).toBe('common:plan.upTo');
    expect(await outlineFor(100_000)).toEqual({
      summary: message('common:plan.upTo', {
        title: message('gadget:commands.set.title', { count: 100_000 }),
        items: message('gadget:count', { count: 100_000 }),
      }),
      count: 100_000,
      changes: [],
      reversible: false,
    });
  });

  test('rethrows server errors', async () => {
    const { command } = outlineSetup({ rejection: new ConnectError('unavailable', Code.Unavailable) });
    await expect(planOutline(command, filterArgs, testContext())).rejects.toBeInstanceOf(ConnectError);
  });
});

describe('counting matches', () => {
  const count = (query: string, term: string, entity = gadget) => countMatching(entity, query, term, testContext());
  const rejectingEntity = (key: string): Entity<Gadget> => ({
    ...gadget,
    applySearch: () => {
      throw new CommandError(message(key));
    },
  });

  test('combines the filter and the term', async () => {
    expect(await count('south', 'state:ERROR')).toBe(1);
    expect(await count('state:ERROR', '')).toBe(2);
    expect(await count('', 'state:OK')).toBe(1);
  });

  test('finds nothing for contradictory terms', async () => {
    expect(await count('state:OK', 'state:ERROR')).toBe(0);
    for (const key of ['common:filter.nothing', 'common:filter.exclusion', 'common:filter.exclusionOf']) {
      expect(await count('pump', '', rejectingEntity(key))).toBe(0);
    }
  });

  test('rejects an invalid filter and rethrows other errors', async () => {
    await expect(count('helth:OK', '')).rejects.toBeInstanceOf(CommandError);
    await expect(count('pump', '', rejectingEntity('common:filter.twice'))).rejects.toBeInstanceOf(CommandError);
    const failingEntity: Entity<Gadget> = {
      ...gadget,
      applySearch: () => {
        throw new ConnectError('unavailable', Code.Unavailable);
      },
    };
    await expect(count('pump', '', failingEntity)).rejects.toBeInstanceOf(ConnectError);
  });
});

describe('comparing a plan with its outline', () => {
  const change = (id: string, before: string, after = 'OK', more: Partial<Change> = {}): Change => ({
    id,
    label: id,
    field: message('gadget:state'),
    before,
    after,
    ...more,
  });
  const fullPlan: Plan = {
    ...plan,
    changes: [change('A', 'ERROR'), change('B', 'WARNING')],
    notes: [message('gadget:note')],
  };
  const { changes: _, ...planWithoutChanges } = fullPlan;
  const group = (item: Change, count = 1) => ({ change: item, count });
  const outlineWith = (...groups: ReturnType<typeof group>[]): Plan => ({
    ...planWithoutChanges,
    changes: [],
    changeCounts: [{ field: message('gadget:state'), count: 2, groups }],
  });

  test('agrees if both count the same changes in any order', () => {
    const outline = outlineWith(group(change('', 'WARNING')), group(change('', 'ERROR')));
    expect([agreesWithOutline(fullPlan, outline), agreesWithOutline(outline, fullPlan)]).toEqual([true, true]);
    expect(agreesWithOutline({ ...plan, notes: [] }, plan)).toBe(true);
  });

  test.each<[string, Plan]>([
    ['another number of items', { ...fullPlan, count: 3 }],
    ['another note', { ...fullPlan, notes: [message('gadget:other')] }],
    ['no note', { ...fullPlan, notes: [] }],
    ['another old value', outlineWith(group(change('', 'ERROR')), group(change('', 'OK')))],
    ['another new value', outlineWith(group(change('', 'ERROR')), group(change('', 'WARNING', 'ERROR')))],
    ['another count of a change', outlineWith(group(change('', 'ERROR')), group(change('', 'WARNING'), 2))],
    ['an added value', outlineWith(group(change('', 'ERROR')), group(change('', 'WARNING', 'OK', { added: ['x'] })))],
    [
      'a removed value',
      outlineWith(group(change('', 'ERROR')), group(change('', 'WARNING', 'OK', { removed: ['x'] }))),
    ],
    [
      'another field',
      { ...fullPlan, changes: fullPlan.changes.map((item) => ({ ...item, field: message('gadget:mode') })) },
    ],
    ['one change fewer', outlineWith(group(change('', 'ERROR')))],
  ])('disagrees with an outline that has %s', (_name, outline) => {
    expect(agreesWithOutline(fullPlan, outline)).toBe(false);
  });
});
