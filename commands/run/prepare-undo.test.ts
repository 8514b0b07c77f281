import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { command, targetParam, type Command } from '#commands/model/command.ts';
import { runContext, type Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Change } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import {
  byId,
  set,
  drop,
  make,
  peek,
  registry,
  createEntry,
  runEntry,
  setAllToWarning,
  prepareEntry,
  states,
  keys,
  world,
  setUpGadgets,
} from '#commands/testkit/changing-gadgets.ts';
import { testContext } from '#commands/testkit/context.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { runUndo } from './undo-run.ts';
import { prepareUndo } from './undo.ts';

setUpGadgets();

describe('preparing an undo', () => {
  test('requires no confirmation if nothing has changed since', async () => {
    const preparedUndo = await prepareEntry(await setAllToWarning());
    expect([
      preparedUndo.confirm,
      preparedUndo.plan.count,
      preparedUndo.plan.reversible,
      preparedUndo.plan.notes,
    ]).toEqual([false, 3, true, []]);
    expect(preparedUndo.plan).not.toHaveProperty('confirm');
    expect(preparedUndo.plan.summary).toEqual(
      message('running:undo.summary', { title: message('gadget:set', { state: 'WARNING' }) }),
    );
  });

  test('reports the actual outcome of a partly failed run', async () => {
    world.rejectionFor = (chunk) =>
      chunk[0]?.name === 'Well 7' ? new ConnectError('stuck', Code.FailedPrecondition) : undefined;
    const preparedUndo = await prepareEntry(await setAllToWarning());
    expect(preparedUndo.plan.summary).toEqual(
      message('running:undo.summary', { title: message('gadget:wasSet', { state: 'WARNING' }) }),
    );
  });

  test('shows the plan and confirmation text of a deletion', async () => {
    const preparedUndo = await prepareEntry(await runEntry(make));
    expect([preparedUndo.confirm, preparedUndo.plan.reversible, preparedUndo.plan.confirm]).toEqual([
      true,
      false,
      'New',
    ]);
    expect(preparedUndo.plan.summary.key).toBe('gadget:drop');
  });

  test('reports items that someone else has changed since', async () => {
    const entry = await setAllToWarning();
    byId('CCCC DDDD').state = 'OK';
    const preparedUndo = await prepareEntry(entry);
    expect(preparedUndo.confirm).toBe(true);
    expect(preparedUndo.plan.notes).toEqual([message('running:undo.conflict', { names: 'South pump' })]);
  });

  test.each([
    [3, message('running:undo.conflict', { names: 'G0, G1, G2' })],
    [4, message('running:undo.conflictMore', { count: 1, names: 'G0, G1, G2' })],
    [5, message('running:undo.conflictMore', { count: 2, names: 'G0, G1, G2' })],
  ])('names three of %d items that someone else changed', async (changed, note) => {
    world.gadgets = Array.from({ length: 6 }, (_, index) => ({
      id: `AAAA 000${index}`,
      name: `G${index}`,
      state: 'ERROR' as const,
    }));
    const many = await setAllToWarning();
    for (const item of world.gadgets.slice(0, changed)) item.state = 'OK';
    expect((await prepareEntry(many)).plan.notes).toEqual([note]);
  });

  const value = { before: 'ERROR', after: 'WARNING' };
  const list = (added: readonly string[], removed: readonly string[]) => ({ added, removed });
  /** Prepares the undo of a change whose inverse now changes `planned`. */
  async function prepareChange(recorded: Partial<Change>, planned: Partial<Change>) {
    const { run: completedRun } = await setAllToWarning();
    const change = { id: 'AAAA BBBB', label: 'North pump', field: message('gadget:state') };
    const commandWithChange: Command = {
      ...set,
      plan: async () => ({
        summary: message('gadget:set'),
        count: 1,
        changes: [{ ...change, ...planned }],
        reversible: true,
      }),
    };
    const entry = createEntry({ ...completedRun, changes: [{ ...change, ...recorded }] });
    const preparedUndo = await prepareUndo(
      { entry, skippedLater: false },
      { command: () => commandWithChange },
      testContext(),
    );
    return [preparedUndo.confirm, preparedUndo.plan.notes];
  }

  test.each([
    ['a value that was a list', list(['WARNING'], []), value],
    ['a list that was a value', value, list(['WARNING'], [])],
  ])('does not compare %s', async (_, recorded, planned) => {
    expect(await prepareChange(recorded, planned)).toEqual([false, []]);
  });

  test.each([
    ['everything', list(['b'], ['a']), list(['a'], ['b'])],
    ['a part, if the other part has been reverted since', list(['b', 'c'], ['a']), list([], ['c'])],
    ['only additions', { added: ['b'] }, { removed: ['b'] }],
    ['only removals', { removed: ['b'] }, { added: ['b'] }],
  ])('restores a list that nobody has changed since: %s', async (_, recorded, planned) => {
    expect(await prepareChange(recorded, planned)).toEqual([false, []]);
  });

  test.each([
    ['removes what someone else added', list(['b'], []), list([], ['b', 'c'])],
    ['adds what someone else removed', list([], ['a']), list(['a', 'c'], [])],
    ['removes from a list that was only shortened', { removed: ['b'] }, list(['b'], ['c'])],
    ['adds to a list that was only extended', { added: ['b'] }, list(['c'], ['b'])],
  ])('names an item if undo %s', async (_, recorded, planned) => {
    expect(await prepareChange(recorded, planned)).toEqual([
      true,
      [message('running:undo.conflict', { names: 'North pump' })],
    ]);
  });

  test('shows the notes of its steps', async () => {
    const { run: completedRun } = await setAllToWarning();
    const remark = message('gadget:remark');
    const commandWithNotes: Command = { ...make, plan: async () => ({ ...(await simplePlan()), notes: [remark] }) };
    const inverse = [{ id: make.id, args: {} }];
    const commands = { command: () => commandWithNotes };
    const preparedUndo = await prepareUndo(
      { entry: createEntry({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect(preparedUndo.plan.notes).toEqual([remark]);
  });

  test('combines equal notes of its steps into one count', async () => {
    const { run: completedRun } = await setAllToWarning();
    const sameNote = (count: number, field = 'state') => message('gadget:same', { count, field });
    const similar = message('gadget:similar', { count: 4, field: 'state' });
    const remarks = [
      [sameNote(2), message('gadget:remark')],
      [sameNote(1), sameNote(1, 'name'), similar],
      [message('gadget:remark')],
    ];
    const upcoming = [...remarks];
    const plan: Command['plan'] = async () => ({ ...(await simplePlan()), notes: upcoming.shift() ?? [] });
    const commandWithNotes: Command = { ...make, plan };
    const inverse = remarks.map(() => ({ id: make.id, args: {} }));
    const commands = { command: () => commandWithNotes };
    const preparedUndo = await prepareUndo(
      { entry: createEntry({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect(preparedUndo.plan.notes).toEqual([sameNote(3), message('gadget:remark'), sameNote(1, 'name'), similar]);
  });

  test.each([
    ['names no organization if every step affects only the caller', ['gadget.mine', 'gadget.mine'], true],
    ['names no organization if the only step affects only the caller', ['gadget.mine'], true],
    ['names the organization if any step changes it', ['gadget.mine', 'gadget.make'], undefined],
    ['names the organization if no step has a plan', ['gadget.peek'], undefined],
  ])('%s', async (_name, ids, personal) => {
    const { run: completedRun } = await setAllToWarning();
    const mine = command({
      id: 'gadget.mine',
      affectsOnlyCaller: true,
      effect: 'write',
      plan: simplePlan,
      run: async () => ({}),
    });
    const commands = createRegistry([{ commands: [mine, make, peek] }]);
    const entry = createEntry({ ...completedRun, inverse: ids.map((id) => ({ id, args: {} })) });
    const preparedUndo = await prepareUndo({ entry, skippedLater: false }, commands, testContext());
    expect(preparedUndo.plan.personal).toBe(personal);
  });

  test("doesn't compare values that the command didn't change", async () => {
    const entry = await setAllToWarning();
    byId('AAAA BBBB').state = 'ERROR';
    const [, ...others] = entry.run.changes ?? [];
    const preparedUndo = await prepareEntry(createEntry({ ...entry.run, changes: others }));
    expect([preparedUndo.confirm, preparedUndo.plan.count, preparedUndo.plan.notes]).toEqual([false, 3, []]);
  });

  test('reports progress across all steps', async () => {
    const { run: completedRun } = await setAllToWarning();
    const inverse = world.gadgets.map(({ id }) => ({ id: set.id, args: { gadgets: { ids: [id] }, state: 'OK' } }));
    const reports: Progress[] = [];
    const context = { ...testContext(), progress: (progress: Progress) => void reports.push(progress) };
    await prepareUndo({ entry: createEntry({ ...completedRun, inverse }), skippedLater: false }, registry, context);
    expect(reports.every(({ total }) => total === world.gadgets.length)).toBe(true);
    expect(reports.map((report) => report.done)).toEqual(world.gadgets.map((_, index) => index + 1));
  });

  test('makes an irreversible plan if any step is irreversible, and accepts steps without a plan', async () => {
    const { run: completedRun } = await setAllToWarning();
    const parts = [
      { id: 'gadget.peek', args: {} },
      { id: 'gadget.set', args: { gadgets: { ids: ['CCCC DDDD'] }, state: 'ERROR' } },
      { id: 'gadget.drop', args: { gadgets: { ids: ['AAAA BBBB'] } } },
    ];
    for (const inverse of [parts, parts.toReversed()]) {
      const { confirm, plan } = await prepareEntry(createEntry({ ...completedRun, inverse }));
      expect([confirm, plan.reversible, plan.count, plan.confirm]).toEqual([true, false, 2, '2']);
    }
  });

  test('plans no changes if everything was already reverted', async () => {
    const entry = await setAllToWarning();
    byId('AAAA BBBB').state = 'OK';
    byId('CCCC DDDD').state = byId('EEEE FFFF').state = 'ERROR';
    const preparedUndo = await prepareEntry(entry);
    expect([preparedUndo.plan.count, preparedUndo.confirm]).toEqual([0, false]);
  });

  test('requires confirmation after later changes or if the old changes are unknown', async () => {
    const entry = await setAllToWarning();
    expect((await prepareEntry(entry, true)).confirm).toBe(true);
    const withoutChanges = await prepareEntry(createEntry({ ...entry.run, changes: undefined }));
    expect([withoutChanges.confirm, keys(withoutChanges.plan.notes)]).toEqual([true, ['running:undo.unknown']]);
    const single = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    expect(keys((await prepareEntry(createEntry({ ...single.run, changes: undefined }))).plan.notes)).toEqual([
      'running:undo.unknown',
    ]);
    const interrupted = { ...entry.run, changes: undefined, interrupted: true };
    expect(keys((await prepareEntry(createEntry(interrupted))).plan.notes)).toEqual([
      'running:undo.counts',
      'running:undo.interrupted',
    ]);
    // The inverse changes no field, so there is nothing to compare.
    const creation = await runEntry(make);
    expect((await prepareEntry(createEntry({ ...creation.run, changes: undefined }))).plan.notes).toEqual([]);
  });

  test('skips deleted items', async () => {
    const entry = await setAllToWarning();
    world.gadgets = world.gadgets.filter(({ id }) => id !== 'CCCC DDDD');
    const preparedUndo = await prepareEntry(entry);
    expect([preparedUndo.plan.count, preparedUndo.plan.notes]).toEqual([
      2,
      [message('running:undo.gone', { count: 1 })],
    ]);
    await runUndo(preparedUndo, registry, runContext(testContext(), true));
    expect(states()).toEqual(['OK', 'ERROR']);
  });

  test('splits a step that its command rejects only for several items together', async () => {
    const entry = await setAllToWarning();
    const itemsOf = (args: Readonly<Record<string, unknown>>): number =>
      (args[targetParam(set)!.name] as { readonly ids: readonly string[] }).ids.length;
    const oneByOne: Command = {
      ...set,
      problems: (_context, args) => (itemsOf(args) > 1 ? { state: message('gadget:no') } : {}),
    };
    const { steps, plan } = await prepareUndo(
      { entry, skippedLater: false },
      { command: () => oneByOne },
      testContext(),
    );
    expect([steps.map(({ args }) => itemsOf(args)), plan.count]).toEqual([[1, 1, 1], 3]);
  });

  test('names the change if its undo is rejected', async () => {
    const rejection = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (error: { userMessage: unknown }) => error.userMessage,
      );
    const dropEntry = await runEntry(drop, { gadgets: { ids: ['AAAA BBBB'] } });
    expect(await rejection(prepareEntry(dropEntry))).toEqual(
      message('running:undo.irreversible', { title: message('gadget:drop') }),
    );
    const entry = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    world.gadgets = [];
    expect(await rejection(prepareEntry(entry))).toMatchObject({
      key: 'running:undo.rejected',
      values: { title: { key: 'gadget:set' }, reason: { key: 'running:lookup.missing' } },
    });
    expect(
      await rejection(prepareEntry(createEntry({ ...entry.run, inverse: [{ id: 'gadget.none', args: {} }] }))),
    ).toMatchObject({
      values: { reason: { key: 'running:line.unknownCommand' } },
    });
    const context = testContext({ host: {} });
    const commandsWithNeed = { command: () => ({ ...make, needs: ['clipboard'] }) satisfies Command };
    expect(await rejection(prepareUndo({ entry, skippedLater: false }, commandsWithNeed, context))).toMatchObject({
      values: { reason: { key: 'core:unavailable.host' } },
    });
    const { summary: _, ...unnamed } = dropEntry.run;
    expect(await rejection(prepareEntry(createEntry(unnamed)))).toEqual(
      message('running:undo.irreversible', { title: message('gadget:commands.drop.title', { count: 1 }) }),
    );
  });

  test.each([
    ['from the server', new ConnectError('unavailable', Code.Unavailable), { code: Code.Unavailable }],
    ['from the command', new CommandError(message('gadget:no')), { userMessage: { key: 'running:undo.rejected' } }],
  ])('rethrows an error %s without looking up missing items', async (_, error, rethrown) => {
    const entry = await setAllToWarning();
    const failingCommand: Command = { ...set, plan: () => Promise.reject(error) };
    world.lookups = 0;
    const prepared = prepareUndo({ entry, skippedLater: false }, { command: () => failingCommand }, testContext());
    await expect(prepared).rejects.toMatchObject(rethrown);
    expect(world.lookups).toBe(1);
  });
});
