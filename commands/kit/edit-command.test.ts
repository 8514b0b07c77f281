import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { resolveArgs } from '#commands/run/resolve.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { SendOptions } from './bulk-action.ts';
import { editCommand, type EditableField, type EditInput, type EditSpec } from './edit-command.ts';
import { completedEditMessage, editPlan } from './edit-plan.ts';

const call = vi.fn<SendOptions<Gadget, EditInput>['call']>();
const check = vi.fn<NonNullable<EditSpec<Gadget>['check']>>();
const countItems = vi.fn<NonNullable<EditSpec<Gadget>['count']>>();

const name: EditableField<Gadget> = { param: p.text(), current: (item) => item.name };
const state: EditableField<Gadget> = {
  param: p.choice(['OK', 'WARNING', 'ERROR'], { label: (value) => message(`gadget:state.${value}`) }),
  current: (item) => item.state,
};
const specOf = (overrides: Partial<EditSpec<Gadget>> = {}): EditSpec<Gadget> => ({
  entity: gadget,
  verb: 'set-state',
  target: 'gadgets',
  fields: { state },
  requires: 'EDIT_DEVICE',
  changed: ['gadget', 'tag'],
  check,
  call,
  ...overrides,
});
const setState = editCommand(specOf());
const edit = editCommand(specOf({ verb: 'edit', fields: { name, state }, prompts: false, keys: ['e'] }));
const allGadgets = { ids: gadgets.map(({ id }) => id) };
const context = testContext();

beforeEach(() => {
  for (const mock of [call, check, countItems]) mock.mockReset();
  call.mockResolvedValue(undefined);
  check.mockResolvedValue(undefined);
});

describe('an edit command', () => {
  test('clears a text field only if it can be empty', async () => {
    const notes: EditableField<Gadget> = { param: p.text({ clears: true }), current: () => 'Leaks' };
    const describeGadget = editCommand(specOf({ verb: 'edit', fields: { name, notes }, prompts: false }));
    await expect(prepare(describeGadget, { gadgets: allGadgets, name: '' }, context)).rejects.toMatchObject({
      param: 'name',
      userMessage: { key: 'core:validation.required' },
    });
    const { plan } = await prepare(describeGadget, { gadgets: allGadgets, notes: '' }, context);
    expect(plan?.summary.key).toBe('common:plan.clear');
  });

  test('requires its field only if it has a single field', () => {
    const requirements = (command: typeof edit) =>
      Object.entries(command.params).map(([param, { required }]) => [param, required]);
    expect([requirements(setState), setState.positional]).toEqual([
      [
        ['gadgets', true],
        ['state', true],
      ],
      ['gadgets', 'state'],
    ]);
    expect([requirements(edit), edit.positional]).toEqual([
      [
        ['gadgets', true],
        ['name', false],
        ['state', false],
      ],
      ['gadgets'],
    ]);
    const editBoth = editCommand(specOf({ fields: { name, state } }));
    const editOptional = editCommand(specOf({ prompts: false }));
    expect([editBoth.positional, editOptional.positional]).toEqual([['gadgets'], ['gadgets']]);
  });

  test('has only the declared keys and extra params', () => {
    const extended = editCommand(specOf({ params: { overwrite: p.flag() } }));
    expect([edit.keys, Object.hasOwn(setState, 'keys'), Object.keys(extended.params)]).toEqual([
      ['e'],
      false,
      ['gadgets', 'state', 'overwrite'],
    ]);
  });

  test('starts a form with the values that the items share', async () => {
    const args = await resolveArgs(edit, { gadgets: { ids: allGadgets.ids.slice(1) } }, context);
    expect(await edit.initial?.(context, args)).toEqual({ values: { state: 'ERROR' }, various: ['name'] });
  });

  test('rejects values for which `problems` returns a message', async () => {
    const problems = vi.fn<NonNullable<EditSpec<Gadget>['problems']>>(() => ({ state: message('gadget:wrong') }));
    const strictEdit = editCommand(specOf({ problems }));
    await expect(prepare(strictEdit, { gadgets: allGadgets, state: 'OK' }, context)).rejects.toMatchObject({
      param: 'state',
    });
    expect(problems).toHaveBeenCalledWith(gadgets, { state: 'OK' }, expect.objectContaining({ state: 'OK' }));
    expect(
      setState.problems?.(context, await resolveArgs(setState, { gadgets: allGadgets, state: 'OK' }, context)),
    ).toEqual({});
  });
});

describe('an edit', () => {
  test("sends only changed items and is undone by the entity's edit command", async () => {
    const completedRun = await run(await prepare(setState, { gadgets: allGadgets, state: 'ERROR' }, context), context);
    expect(call).toHaveBeenCalledOnce();
    expect(call.mock.calls[0]?.slice(1)).toMatchObject([[gadgets[0]], { newValues: { state: 'ERROR' } }]);
    expect(completedRun.outcome).toMatchObject({
      changed: ['gadget', 'tag'],
      results: [{ id: gadgets[0]!.id }],
      message: { key: 'common:plan.setTo', values: { value: message('gadget:state.ERROR') } },
    });
    expect(completedRun.inverse).toEqual([
      { id: 'gadget.edit', args: { gadgets: { ids: [gadgets[0]!.id] }, state: 'OK' } },
    ]);
  });

  test('looks for an item by its new id if the edit changes the id', async () => {
    const newId: EditSpec<Gadget>['newId'] = ({ name: newName }) => newName as string | undefined;
    const rename = editCommand(specOf({ verb: 'edit', fields: { name, state }, prompts: false, newId }));
    const [first] = gadgets;
    const runRename = async (args: Args) =>
      run(await prepare(rename, { gadgets: { ids: [first!.id] }, ...args }, context), context);
    const completedRun = await runRename({ name: 'Depot', state: 'ERROR' });
    expect(completedRun.outcome.results).toEqual([
      { id: first!.id, label: first!.name, renamedTo: { entity: 'gadget', id: 'Depot' } },
    ]);
    expect(completedRun.inverse).toEqual([
      { id: 'gadget.edit', args: { gadgets: { ids: ['Depot'] }, name: first!.name, state: first!.state } },
    ]);
    // Undo compares its changes with these by id.
    expect(completedRun.changes?.map(({ id }) => id)).toEqual(['Depot', 'Depot']);
    expect((await runRename({ state: 'ERROR' })).outcome.results).toEqual([{ id: first!.id, label: first!.name }]);

    call.mockRejectedValue(new ConnectError('taken', Code.AlreadyExists));
    expect((await runRename({ name: 'Depot' })).outcome.results?.[0]).not.toHaveProperty('renamedTo');
  });

  test('fails a server check before planning', async () => {
    check.mockRejectedValue(new Error('no such state'));
    await expect(prepare(setState, { gadgets: allGadgets, state: 'OK' }, context)).rejects.toThrow('no such state');
    expect(check).toHaveBeenCalledWith(context, { state: 'OK' });
  });
});

describe('the plan for an edit', () => {
  const items = (count: number) => message('gadget:count', { count });
  const field = message('gadget:fields.name');

  test('counts unchanged items and is reversible if the old value is known', async () => {
    const { plan } = await prepare(setState, { gadgets: allGadgets, state: 'ERROR' }, context);
    expect(plan).toMatchObject({
      count: 1,
      changes: [{ id: gadgets[0]!.id, before: message('gadget:state.OK'), after: message('gadget:state.ERROR') }],
      notes: [message('common:plan.same', { count: 2 })],
      reversible: true,
    });
    const { plan: otherPlan } = await prepare(setState, { gadgets: allGadgets, state: 'OK' }, context);
    expect(otherPlan?.notes).toEqual([message('common:plan.same', { count: 1 })]);
    const unknown: EditableField<Gadget> = { ...name, current: () => undefined };
    const irreversible = editPlan(gadget, { name: unknown }, { name: 'x' }, gadgets);
    expect([irreversible.count, irreversible.notes, irreversible.reversible]).toEqual([3, undefined, false]);
  });

  const text60 = 'x'.repeat(60);
  test.each<[string, Partial<EditableField<Gadget>>, ArgValue, Message]>([
    ['the value', {}, text60, message('common:plan.setTo', { field, items: items(3), value: text60 })],
    ['no long value', {}, `${text60}x`, message('common:plan.set', { field, items: items(3) })],
    ['no multi-line value', {}, 'a\nb', message('common:plan.set', { field, items: items(3) })],
    ['no list', {}, ['a'], message('common:plan.set', { field, items: items(3) })],
    ['no secret', { secret: true }, 'x', message('common:plan.set', { field, items: items(3) })],
    [
      'no argument if the resulting value differs by item',
      { after: (item, value) => `${item.name} ${value as string}` },
      'x',
      message('common:plan.set', { field, items: items(3) }),
    ],
    ['that the field is cleared', {}, '', message('common:plan.clear', { field, items: items(3) })],
  ])('has a summary that shows %s', (_, fieldOptions, value, title) => {
    expect(editPlan(gadget, { name: { ...name, ...fieldOptions } }, { name: value }, gadgets).summary).toEqual(title);
  });

  test('counts several fields in its summary', () => {
    const title = (newValues: Record<string, ArgValue>) =>
      editPlan(gadget, { name, state }, newValues, gadgets).summary;
    expect(title({ name: 'x', state: 'OK' })).toEqual(message('common:plan.edit', { count: 2, items: items(3) }));
    expect(title({})).toEqual(message('common:plan.edit', { count: 0, items: items(0) }));
  });
});

describe('the message for a completed edit', () => {
  const results = gadgets.map(({ id, name: label }) => ({ id, label }));
  const failure = { code: 'command', message: message('gadget:wet'), retryable: false } as const;
  const items = (count: number) => message('gadget:count', { count });
  const field = message('gadget:fields.name');

  test.each<[string, Record<string, ArgValue>, readonly ItemResult[], Message]>([
    ['sets', { name: 'x' }, results, message('common:plan.setTo', { field, items: items(3), value: 'x' })],
    ['clears', { name: '' }, results, message('common:done.cleared', { field, items: items(3) })],
    [
      'changes several fields',
      { name: 'x', state: 'OK' },
      results,
      message('common:done.changed', { items: items(3) }),
    ],
    ['changes nothing', { name: 'x' }, [], message('common:done.nothing')],
    ['changes nothing in several fields', { name: 'x', state: 'OK' }, [], message('common:done.nothing')],
    [
      'changes only some items',
      { name: 'x' },
      [results[0]!, { ...results[1]!, failure }, { ...results[2]!, skipped: true }],
      message('common:plan.setTo', { field, items: items(1), value: 'x' }),
    ],
  ])('reports an edit that %s', (_, newValues, itemResults, text) => {
    expect(completedEditMessage(gadget, { name, state }, newValues, itemResults)).toEqual(text);
  });
});

describe('a plan made from counts', () => {
  const countingEdit = editCommand(specOf({ count: countItems }));
  const outline = async (args: Args, command = countingEdit) =>
    command.outline?.(context, await resolveArgs(command, { gadgets: allGadgets, ...args }, context), 'state:*');

  test('counts changes by old value, most frequent first', async () => {
    countItems.mockResolvedValue(
      new Map([
        ['OK', 7],
        ['WARNING', 12],
        ['ERROR', 5],
      ]),
    );
    const field = message('gadget:fields.state');
    const after = message('gadget:state.ERROR');
    expect(await outline({ state: 'ERROR' })).toEqual({
      summary: message('common:plan.setTo', { field, items: message('gadget:count', { count: 19 }), value: after }),
      count: 19,
      changes: [],
      changeCounts: [
        {
          field,
          count: 19,
          groups: [
            {
              count: 12,
              change: { id: 'WARNING', label: 'WARNING', field, before: message('gadget:state.WARNING'), after },
            },
            { count: 7, change: { id: 'OK', label: 'OK', field, before: message('gadget:state.OK'), after } },
          ],
        },
      ],
      notes: [message('common:plan.same', { count: 5 })],
      reversible: true,
    });
    expect(countItems).toHaveBeenCalledWith(context, 'state:*');
    expect(check).toHaveBeenCalledWith(context, { state: 'ERROR' });
  });

  test('omits groups if nothing changes, and notes if everything does', async () => {
    countItems.mockResolvedValue(
      new Map([
        ['OK', 0],
        ['ERROR', 1],
      ]),
    );
    const unchangedPlan = await outline({ state: 'ERROR' });
    expect([unchangedPlan?.count, Object.hasOwn(unchangedPlan!, 'changeCounts'), unchangedPlan?.notes?.length]).toEqual(
      [0, false, 1],
    );
    for (const state of ['OK', 'WARNING']) {
      const partialPlan = await outline({ state });
      expect([partialPlan?.count, Object.hasOwn(partialPlan!, 'notes')]).toEqual([1, false]);
      expect(partialPlan?.changeCounts?.[0]?.groups).toMatchObject([{ count: 1, change: { id: 'ERROR' } }]);
    }
  });

  test('is undefined if counts are unavailable or several fields change', async () => {
    countItems.mockResolvedValue(undefined);
    expect(await outline({ state: 'OK' })).toBeUndefined();
    expect(Object.hasOwn(setState, 'outline')).toBe(false);
    countItems.mockResolvedValue(new Map([['OK', 1]]));
    const editSeveral = editCommand(specOf({ fields: { name, state }, prompts: false, count: countItems }));
    expect(await outline({ name: 'x', state: 'OK' }, editSeveral)).toBeUndefined();
    expect(await outline({}, editSeveral)).toBeUndefined();
  });

  test('fails the same server check as the plan', async () => {
    check.mockRejectedValue(new Error('no such state'));
    await expect(outline({ state: 'OK' })).rejects.toThrow('no such state');
    expect(countItems).not.toHaveBeenCalled();
  });
});
