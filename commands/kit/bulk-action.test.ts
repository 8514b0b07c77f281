import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { InitialValues } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { bulkAction, type BulkSpec } from './bulk-action.ts';

const call = vi.fn<BulkSpec<Gadget, { color: ReturnType<typeof p.text> }>['call']>();

const paint = bulkAction({
  entity: gadget,
  verb: 'paint',
  requires: [],
  params: { color: p.text() },
  positional: ['color'],
  appliesTo: ({ state }) => state !== 'OK',
  change: ({ state }, { color }) => ({ field: message('gadget:color'), before: state, after: color }),
  summary: ({ color }) => ({ color: color ?? '' }),
  notes: (_context, items) => (items.length > 1 ? [message('gadget:dries')] : []),
  undo: 'strip',
  isUndoable: ({ id }) => id !== 'EEEE FFFF',
  call,
  changed: ['tag'],
});

const scrap = bulkAction({ entity: gadget, verb: 'scrap', effect: 'destructive', requires: [], size: 1, call });
const ids = (count: number) => ({ ids: gadgets.slice(0, count).map(({ id }) => id) });
const sentIds = () => call.mock.calls.map(([, items]) => items.map(({ id }) => id));

beforeEach(() => {
  call.mockReset();
  call.mockResolvedValue(undefined);
});

describe('a bulk action', () => {
  test('declares the messages for its plan and its result', () => {
    expect(paint.derivedMessages?.map(({ key }) => key)).toEqual(['gadget:plan.paint', 'gadget:done.paint']);
  });

  test('plans the changes, counts unchanged items, and adds its own notes', async () => {
    const { plan } = await prepare(paint, { gadgets: ids(3), color: 'red' }, testContext());
    const items = gadgets.slice(0, 3).filter(({ state }) => state !== 'OK');
    expect(plan).toMatchObject({
      summary: { key: 'gadget:plan.paint', values: { color: 'red', items: { values: { count: items.length } } } },
      count: items.length,
      changes: items.map(({ id, state }) => ({ id, before: state, after: 'red', field: { key: 'gadget:color' } })),
      notes: [{ key: 'gadget:dries' }, { key: 'common:plan.unchanged', values: { count: 3 - items.length } }],
      reversible: true,
    });
    expect(plan).not.toHaveProperty('confirm');
  });

  test('names the first items in the plan if it has no change to show', async () => {
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

  test('sends only the items that change, in one call, and reports their number', async () => {
    const completedRun = await run(
      await prepare(paint, { gadgets: ids(3), color: 'red' }, testContext()),
      testContext(),
    );
    const changedItems = gadgets.slice(0, 3).filter(({ state }) => state !== 'OK');
    expect(sentIds()).toEqual([changedItems.map(({ id }) => id)]);
    expect(call.mock.calls[0]?.[0].organization).toBe(testContext().organization.id);
    expect(call.mock.calls[0]?.[2]).toMatchObject({ color: 'red' });
    expect(completedRun.outcome).toMatchObject({
      changed: ['gadget', 'tag'],
      message: { key: 'gadget:done.paint', values: { count: changedItems.length } },
    });
    expect(completedRun.inverse).toEqual([
      {
        id: 'gadget.strip',
        args: { gadgets: { ids: changedItems.map(({ id }) => id).filter((id) => id !== 'EEEE FFFF') } },
      },
    ]);
  });

  test("can't undo rejected items, or anything at all without an inverse command", async () => {
    const [, second] = gadgets;
    call.mockResolvedValue({ rejections: new Map([[second!.id, message('gadget:wet')]]) });
    const completedRun = await run(
      await prepare(paint, { gadgets: { ids: [second!.id] }, color: 'red' }, testContext()),
      testContext(),
    );
    expect(completedRun.outcome.results).toMatchObject([
      { id: second!.id, failure: { message: { key: 'gadget:wet' } } },
    ]);
    expect(completedRun.outcome.message).toEqual({ key: 'common:done.failed', values: { count: 1 } });
    expect(completedRun.inverse).toBeUndefined();
    expect((await prepare(scrap, { gadgets: ids(1) }, testContext())).plan?.reversible).toBe(false);
  });

  test('can undo a call that received no response', async () => {
    const [, second] = gadgets;
    call.mockRejectedValue(new ConnectError('connection reset', Code.Unavailable));
    const completedRun = await run(
      await prepare(paint, { gadgets: { ids: [second!.id] }, color: 'red' }, testContext()),
      testContext(),
    );
    expect(completedRun.outcome.results).toMatchObject([{ id: second!.id, failure: { code: 'unavailable' } }]);
    expect(completedRun.inverse).toEqual([{ id: 'gadget.strip', args: { gadgets: { ids: [second!.id] } } }]);
    expect(completedRun.changes).toMatchObject([{ id: second!.id, after: 'red' }]);
  });

  test('is confirmed by a label or a count if it is destructive', async () => {
    const confirmationOf = async (count: number, command = scrap) =>
      (await prepare(command, { gadgets: ids(count) }, testContext())).plan?.confirm;
    expect([await confirmationOf(1), await confirmationOf(2)]).toEqual([gadget.label(gadgets[0]!), '2']);
    const meltAction = bulkAction({
      entity: gadget,
      verb: 'melt',
      effect: 'destructive',
      requires: [],
      appliesTo: ({ state }) => state !== 'OK',
      confirm: ({ id }) => id,
      call,
    });
    expect([await confirmationOf(1, meltAction), await confirmationOf(2, meltAction)]).toEqual(['0', gadgets[1]!.id]);
  });

  test('is undone by the inverse command or its own invocations, if at all', async () => {
    const args = { gadgets: ids(2) };
    const inverseWith = async (
      overrides: Pick<BulkSpec<Gadget, Record<never, never>>, 'undo' | 'isUndoable' | 'reversible'>,
    ) => {
      const command = bulkAction({ entity: gadget, verb: 'turn', requires: [], call, ...overrides });
      const preparedRun = await prepare(command, args, testContext());
      const { inverse } = await run(preparedRun, testContext());
      return [preparedRun.plan?.reversible, inverse?.map(({ args }) => args)];
    };
    expect(await inverseWith({})).toEqual([false, undefined]);
    expect(await inverseWith({ undo: 'turn' })).toEqual([true, [args]]);
    expect(await inverseWith({ undo: 'turn', isUndoable: () => false })).toEqual([true, undefined]);
    expect(await inverseWith({ undo: 'turn', reversible: (items) => items.length > 2 })).toEqual([false, [args]]);
    const invocations = (items: readonly Gadget[]) =>
      items.map(({ id }) => ({ id: 'gadget.turn', args: { only: id } }));
    expect(await inverseWith({ undo: invocations })).toEqual([true, args.gadgets.ids.map((only) => ({ only }))]);
  });

  test('omits the note about unchanged items if all items change', async () => {
    const plans = [{}, { harmless: true }].map(async (overrides) => {
      const command = bulkAction({ entity: gadget, verb: 'turn', requires: [], call, ...overrides });
      return (await prepare(command, { gadgets: ids(2) }, testContext())).plan;
    });
    const [plainPlan, harmlessPlan] = await Promise.all(plans);
    expect([plainPlan?.notes, Object.hasOwn(plainPlan!, 'harmless'), harmlessPlan?.harmless]).toEqual([
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

  test('derives the lists to reload from the changed items', async () => {
    const changed = vi.fn<(items: readonly Gadget[]) => readonly string[]>(() => ['tag']);
    const command = bulkAction({ entity: gadget, verb: 'turn', requires: [], call, changed });
    const { outcome } = await run(await prepare(command, { gadgets: ids(1) }, testContext()), testContext());
    expect([outcome.changed, changed.mock.calls[0]?.[0]]).toEqual([['gadget', 'tag'], [gadgets[0]]]);
  });

  test('sends dependencies last and groups calls by organization', async () => {
    const orderedAction = bulkAction({
      entity: gadget,
      verb: 'move',
      requires: [],
      isLast: ({ id }) => id === gadgets[0]!.id,
      organization: ({ id }) => (id === gadgets[1]!.id ? 'below' : 'acme'),
      call,
    });
    await run(await prepare(orderedAction, { gadgets: ids(3) }, testContext()), testContext());
    expect(sentIds()).toEqual([[gadgets[1]!.id], [gadgets[2]!.id, gadgets[0]!.id]]);
    expect(call.mock.calls.map(([{ organization }]) => organization)).toEqual(['below', 'acme']);
  });

  test('has only the declared keys, problems, and initial values', async () => {
    expect(['keys', 'problems', 'initial', 'inverse'].filter((name) => Object.hasOwn(scrap, name))).toEqual([]);
    const problems = vi.fn<NonNullable<BulkSpec<Gadget, Record<never, never>>['problems']>>(() => ({}));
    const loadInitial = vi.fn<(items: readonly Gadget[]) => InitialValues>(() => ({ values: { size: 2 } }));
    const command = bulkAction({
      entity: gadget,
      verb: 'turn',
      requires: [],
      keys: ['x'],
      problems,
      initial: loadInitial,
      call,
    });
    const { resolved } = await prepare(command, { gadgets: ids(1) }, testContext());
    expect(problems.mock.calls[0]?.[2]).toEqual([gadgets[0]]);
    expect([command.keys, await command.initial?.(testContext(), resolved)]).toEqual([['x'], { values: { size: 2 } }]);
    expect(loadInitial).toHaveBeenCalledWith([gadgets[0]]);
  });

  test('accepts its items before any other positional arguments', () => {
    expect([scrap.positional, paint.positional]).toEqual([['gadgets'], ['gadgets', 'color']]);
  });

  test('returns the ids of created items', async () => {
    call.mockImplementation(async (_context, [item]) => ({ createdIds: [`copy of ${item!.id}`] }));
    const copy = bulkAction({ entity: gadget, verb: 'copy', requires: [], size: 1, call });
    const copyData = async (count: number) =>
      (await run(await prepare(copy, { gadgets: ids(count) }, testContext()), testContext())).outcome.data;
    expect(await copyData(1)).toEqual({ ids: [`copy of ${gadgets[0]!.id}`] });
    expect(await copyData(2)).toEqual({ ids: gadgets.slice(0, 2).map(({ id }) => `copy of ${id}`) });
    call.mockResolvedValue({ createdIds: [] });
    expect(await copyData(1)).toBeUndefined();
  });

  test('calls `validate` before planning and before running', async () => {
    const validate = vi.fn<() => void>();
    const guarded = bulkAction({ entity: gadget, verb: 'melt', requires: [], validate, call });
    const preparedRun = await prepare(guarded, { gadgets: ids(1) }, testContext());
    expect(validate).toHaveBeenCalledOnce();
    validate.mockImplementation(() => {
      throw new Error('not this one');
    });
    await expect(run(preparedRun, testContext())).rejects.toThrow('not this one');
    expect(call).not.toHaveBeenCalled();
  });
});
