import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { testContext } from '#commands/testkit/context.ts';
import { bulkAction, type BulkSpec } from './bulk-action.ts';
import type { Initial } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { prepare, run } from '#commands/run/run.ts';

const call = vi.fn<BulkSpec<Gadget, { colour: ReturnType<typeof p.text> }>['call']>();

const paint = bulkAction({
  of: gadget,
  verb: 'paint',
  requires: [],
  params: { colour: p.text() },
  positional: ['colour'],
  applies: ({ state }) => state !== 'OK',
  change: ({ state }, { colour }) => ({ field: message('gadget:colour'), before: state, after: colour }),
  summary: ({ colour }) => ({ colour: colour ?? '' }),
  notes: (_context, items) => (items.length > 1 ? [message('gadget:dries')] : []),
  undo: 'strip',
  undoes: ({ id }) => id !== 'EEEE FFFF',
  call,
  changed: ['tag'],
});

const scrap = bulkAction({ of: gadget, verb: 'scrap', effect: 'destructive', requires: [], size: 1, call });
const ids = (count: number) => ({ ids: gadgets.slice(0, count).map(({ id }) => id) });
const sent = () => call.mock.calls.map(([, items]) => items.map(({ id }) => id));

beforeEach(() => {
  call.mockReset();
  call.mockResolvedValue(undefined);
});

describe('a bulk action', () => {
  it('plans what changes, counts what is that way already, and adds its own remarks', async () => {
    const { plan } = await prepare(paint, { gadgets: ids(3), colour: 'red' }, testContext());
    const items = gadgets.slice(0, 3).filter(({ state }) => state !== 'OK');
    expect(plan).toMatchObject({
      summary: { key: 'gadget:plan.paint', values: { colour: 'red', items: { values: { count: items.length } } } },
      count: items.length,
      changes: items.map(({ id, state }) => ({ id, before: state, after: 'red', field: { key: 'gadget:colour' } })),
      notes: [{ key: 'gadget:dries' }, { key: 'common:plan.unchanged', values: { count: 3 - items.length } }],
      reversible: true,
    });
    expect(plan).not.toHaveProperty('confirm');
  });

  it('names the first of those that it acts on, where no change does', async () => {
    const note = async (count: number) =>
      (await prepare(scrap, { gadgets: ids(count) }, testContext())).plan?.notes?.map(({ key, values }) => [
        key,
        values,
      ]);
    const names = gadgets.slice(0, 3).map(({ name }) => name);
    expect(await note(1)).toEqual([['common:plan.named', { names: names[0] }]]);
    expect(await note(3)).toEqual([['common:plan.named', { names: names.join(', ') }]]);
    gadgets.push({ id: '1111 2222', name: 'Spare', state: 'OK' });
    try {
      expect(await note(4)).toEqual([['common:plan.namedMore', { names: names.join(', '), count: 1 }]]);
    } finally {
      gadgets.pop();
    }
  });

  it('sends only those that change, in one call, and says how many did', async () => {
    const done = await run(await prepare(paint, { gadgets: ids(3), colour: 'red' }, testContext()), testContext());
    const changed = gadgets.slice(0, 3).filter(({ state }) => state !== 'OK');
    expect(sent()).toEqual([changed.map(({ id }) => id)]);
    expect(call.mock.calls[0]?.[0].organization).toBe(testContext().organization.id);
    expect(call.mock.calls[0]?.[2]).toMatchObject({ colour: 'red' });
    expect(done.outcome).toMatchObject({
      changed: ['gadget', 'tag'],
      message: { key: 'gadget:done.paint', values: { count: changed.length } },
    });
    expect(done.inverse).toEqual([
      {
        id: 'gadget.strip',
        args: { gadgets: { ids: changed.map(({ id }) => id).filter((id) => id !== 'EEEE FFFF') } },
      },
    ]);
  });

  it('has no way back for what was refused, and none at all without an opposite', async () => {
    const [, second] = gadgets;
    call.mockResolvedValue({ refused: new Map([[second!.id, message('gadget:wet')]]) });
    const done = await run(
      await prepare(paint, { gadgets: { ids: [second!.id] }, colour: 'red' }, testContext()),
      testContext(),
    );
    expect(done.outcome.results).toMatchObject([{ id: second!.id, failure: { message: { key: 'gadget:wet' } } }]);
    expect(done.outcome.message).toEqual({ key: 'common:done.failed', values: { count: 1 } });
    expect(done.inverse).toBeUndefined();
    expect((await prepare(scrap, { gadgets: ids(1) }, testContext())).plan?.reversible).toBe(false);
  });

  it('takes back what may have been done by a call whose answer was lost', async () => {
    const [, second] = gadgets;
    call.mockRejectedValue(new ConnectError('connection reset', Code.Unavailable));
    const done = await run(
      await prepare(paint, { gadgets: { ids: [second!.id] }, colour: 'red' }, testContext()),
      testContext(),
    );
    expect(done.outcome.results).toMatchObject([{ id: second!.id, failure: { code: 'unavailable' } }]);
    expect(done.inverse).toEqual([{ id: 'gadget.strip', args: { gadgets: { ids: [second!.id] } } }]);
    expect(done.left).toMatchObject([{ id: second!.id, after: 'red' }]);
  });

  it('is confirmed by the label of one and the count of several, where it destroys', async () => {
    const confirmed = async (count: number, command = scrap) =>
      (await prepare(command, { gadgets: ids(count) }, testContext())).plan?.confirm;
    expect([await confirmed(1), await confirmed(2)]).toEqual([gadget.label(gadgets[0]!), '2']);
    const broken = bulkAction({
      of: gadget,
      verb: 'melt',
      effect: 'destructive',
      requires: [],
      applies: ({ state }) => state !== 'OK',
      confirm: ({ id }) => id,
      call,
    });
    expect([await confirmed(1, broken), await confirmed(2, broken)]).toEqual(['0', gadgets[1]!.id]);
  });

  it('is undone as it says: by the opposite, by invocations of its own, or not at all', async () => {
    const given = { gadgets: ids(2) };
    const undone = async (more: Pick<BulkSpec<Gadget, Record<never, never>>, 'undo' | 'undoes' | 'reversible'>) => {
      const of = bulkAction({ of: gadget, verb: 'turn', requires: [], call, ...more });
      const prepared = await prepare(of, given, testContext());
      const { inverse } = await run(prepared, testContext());
      return [prepared.plan?.reversible, inverse?.map(({ args }) => args)];
    };
    expect(await undone({})).toEqual([false, undefined]);
    expect(await undone({ undo: 'turn' })).toEqual([true, [given]]);
    expect(await undone({ undo: 'turn', undoes: () => false })).toEqual([true, undefined]);
    expect(await undone({ undo: 'turn', reversible: (items) => items.length > 2 })).toEqual([false, [given]]);
    const own = (items: readonly Gadget[]) => items.map(({ id }) => ({ id: 'gadget.turn', args: { only: id } }));
    expect(await undone({ undo: own })).toEqual([true, given.gadgets.ids.map((only) => ({ only }))]);
  });

  it('has no other remarks where all change, and is harmless where it is declared so', async () => {
    const plans = [{}, { harmless: true }].map(async (more) => {
      const of = bulkAction({ of: gadget, verb: 'turn', requires: [], call, ...more });
      return (await prepare(of, { gadgets: ids(2) }, testContext())).plan;
    });
    const [plain, harmless] = await Promise.all(plans);
    expect([plain?.notes, Object.hasOwn(plain!, 'harmless'), harmless?.harmless]).toEqual([
      [
        {
          key: 'common:plan.named',
          values: {
            names: gadgets
              .slice(0, 2)
              .map(({ name }) => name)
              .join(', '),
          },
        },
      ],
      false,
      true,
    ]);
  });

  it('tells which lists are out of date by the items that it changed', async () => {
    const changed = vi.fn<(items: readonly Gadget[]) => readonly string[]>(() => ['tag']);
    const of = bulkAction({ of: gadget, verb: 'turn', requires: [], call, changed });
    const { outcome } = await run(await prepare(of, { gadgets: ids(1) }, testContext()), testContext());
    expect([outcome.changed, changed.mock.calls[0]?.[0]]).toEqual([['gadget', 'tag'], [gadgets[0]]]);
  });

  it('sends last what the others depend on, and apart what another organization owns', async () => {
    const ordered = bulkAction({
      of: gadget,
      verb: 'move',
      requires: [],
      last: ({ id }) => id === gadgets[0]!.id,
      organization: ({ id }) => (id === gadgets[1]!.id ? 'below' : 'acme'),
      call,
    });
    await run(await prepare(ordered, { gadgets: ids(3) }, testContext()), testContext());
    expect(sent()).toEqual([[gadgets[1]!.id], [gadgets[2]!.id, gadgets[0]!.id]]);
    expect(call.mock.calls.map(([{ organization }]) => organization)).toEqual(['below', 'acme']);
  });

  it('has no problems to tell, nor anything to begin with, unless they are declared: those are asked for in a form', async () => {
    expect(['keys', 'problems', 'initial', 'inverse'].filter((name) => Object.hasOwn(scrap, name))).toEqual([]);
    const problems = vi.fn<NonNullable<BulkSpec<Gadget, Record<never, never>>['problems']>>(() => ({}));
    const initial = vi.fn<(items: readonly Gadget[]) => Initial>(() => ({ values: { size: 2 } }));
    const of = bulkAction({ of: gadget, verb: 'turn', requires: [], keys: ['x'], problems, initial, call });
    const { resolved } = await prepare(of, { gadgets: ids(1) }, testContext());
    expect(problems.mock.calls[0]?.[2]).toEqual([gadgets[0]]);
    expect([of.keys, await of.initial?.(testContext(), resolved)]).toEqual([['x'], { values: { size: 2 } }]);
    expect(initial).toHaveBeenCalledWith([gadgets[0]]);
  });

  it('takes its items first, and after them what is given without a name', () => {
    expect([scrap.positional, paint.positional]).toEqual([['gadgets'], ['gadgets', 'colour']]);
  });

  it('keeps the ids of what it created', async () => {
    call.mockImplementation(async (_context, [item]) => ({ created: [`copy of ${item!.id}`] }));
    const copy = bulkAction({ of: gadget, verb: 'copy', requires: [], size: 1, call });
    const copied = async (count: number) =>
      (await run(await prepare(copy, { gadgets: ids(count) }, testContext()), testContext())).outcome.data;
    expect(await copied(1)).toEqual({ ids: [`copy of ${gadgets[0]!.id}`] });
    expect(await copied(2)).toEqual({ ids: gadgets.slice(0, 2).map(({ id }) => `copy of ${id}`) });
    call.mockResolvedValue({ created: [] });
    expect(await copied(1)).toBeUndefined();
  });

  it('refuses before it plans and before it runs', async () => {
    const refuse = vi.fn<() => void>();
    const guarded = bulkAction({ of: gadget, verb: 'melt', requires: [], refuse, call });
    const prepared = await prepare(guarded, { gadgets: ids(1) }, testContext());
    expect(refuse).toHaveBeenCalledOnce();
    refuse.mockImplementation(() => {
      throw new Error('not this one');
    });
    await expect(run(prepared, testContext())).rejects.toThrow('not this one');
    expect(call).not.toHaveBeenCalled();
  });
});
