import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, test } from 'vitest';

import { runInBatches } from '#commands/kit/batch.ts';
import { command, type Command } from '#commands/model/command.ts';
import { runContext, type Context, type Progress } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { succeededResults } from '#commands/model/result.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget as baseGadget, simplePlan, type Gadget } from '#commands/testkit/gadget.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import type { Entry } from './history.ts';
import { prepare, run } from './run.ts';
import { prepareUndo, runUndo, UndoError } from './undo.ts';

type Mutable = { -readonly [Name in keyof Gadget]: Gadget[Name] };
let gadgets: Mutable[] = [];
let refusalFor: (chunk: readonly Gadget[]) => ConnectError | undefined = () => undefined;
let lookups = 0;
beforeEach(() => {
  lookups = 0;
  gadgets = [
    { id: 'AAAA BBBB', name: 'North pump', state: 'OK' },
    { id: 'CCCC DDDD', name: 'South pump', state: 'ERROR' },
    { id: 'EEEE FFFF', name: 'Well 7', state: 'ERROR' },
  ];
  refusalFor = () => undefined;
});

const gadget: Entity<Gadget> = {
  ...(baseGadget as Entity<Gadget>),
  byIds: async (_context, ids) => {
    lookups++;
    return gadgets.filter(({ id }) => ids.includes(id)).map((item) => ({ ...item }));
  },
};
const byId = (id: string): Mutable => gadgets.find((item) => item.id === id)!;

/** Sets a state. The inverse has one step for each previous state. */
const set = command({
  id: 'gadget.set',
  effect: 'write',
  params: { gadgets: p.many(() => gadget), state: required(p.choice(['OK', 'WARNING', 'ERROR'])) },
  plan: async (_context, { gadgets: { items }, state }) => {
    const itemsToChange = items.filter((item) => item.state !== state);
    return {
      summary: message('gadget:set', { state }),
      count: itemsToChange.length,
      changes: itemsToChange.map((item) => ({
        id: item.id,
        label: item.name,
        field: message('gadget:state'),
        before: item.state,
        after: state,
      })),
      reversible: true,
    };
  },
  run: async (context, { gadgets: { items }, state }) => {
    const results = await runInBatches(context, {
      items: items.filter((item) => item.state !== state),
      id: ({ id }) => id,
      label: ({ name }) => name,
      size: 1,
      change: async (chunk) => {
        const refusal = refusalFor(chunk);
        if (refusal) throw refusal;
        for (const { id } of chunk) byId(id).state = state;
      },
    });
    return { changed: ['gadget'], results, message: message('gadget:wasSet', { state }) };
  },
  inverse: ({ gadgets: { items } }, outcome) => {
    const ids = new Set(succeededResults(outcome).map(({ id }) => id));
    const former = groupBy(
      items.filter(({ id }) => ids.has(id)),
      ({ state }) => state,
    );
    return [...former].map(([state, group]) => ({
      id: 'gadget.set',
      args: { gadgets: { ids: group.map(({ id }) => id) }, state },
    }));
  },
});

const drop = command({
  id: 'gadget.drop',
  effect: 'destructive',
  params: { gadgets: p.many(() => gadget) },
  plan: async (_context, { gadgets: { items } }) => ({
    summary: message('gadget:drop'),
    count: items.length,
    changes: [],
    reversible: false,
    confirm: items[0]?.name ?? '',
  }),
  run: async (_context, { gadgets: { ids } }) => {
    gadgets = gadgets.filter(({ id }) => !ids.includes(id));
    return { results: ids.map((id) => ({ id, label: id })) };
  },
});

const make = command({
  id: 'gadget.make',
  effect: 'write',
  plan: async () => ({ summary: message('gadget:make'), count: 1, changes: [], reversible: true }),
  run: async () => {
    gadgets.push({ id: 'ABCD ABCD', name: 'New', state: 'OK' });
    return { results: [{ id: 'ABCD ABCD', label: 'New' }] };
  },
  inverse: () => [{ id: 'gadget.drop', args: { gadgets: { ids: ['ABCD ABCD'] } } }],
});

/** A command without a target, a plan, or a message. */
const peek = command({ id: 'gadget.peek', effect: 'read', run: async () => ({}) });

const registry = createRegistry([{ commands: [set, drop, make, peek] }]);
const entryOf = (completedRun: CompletedRun): Entry => ({ run: completedRun, undone: false });
async function runEntry(
  command: Command,
  args: Invocation['args'] = {},
  context: Context = testContext(),
): Promise<Entry> {
  return entryOf(await run(await prepare(command, args, context), context));
}
const pauseAll = () => runEntry(set, { gadgets: { ids: gadgets.map(({ id }) => id) }, state: 'WARNING' });
const prepareEntry = (entry: Entry, skippedLater = false) =>
  prepareUndo({ entry, skippedLater }, registry, testContext());
const states = () => gadgets.map(({ state }) => state);
const keys = (notes: readonly { key: string }[] = []) => notes.map(({ key }) => key);

describe('preparing an undo', () => {
  test('requires no confirmation if nothing has changed since', async () => {
    const ready = await prepareEntry(await pauseAll());
    expect([ready.confirm, ready.plan.count, ready.plan.reversible, ready.plan.notes]).toEqual([false, 3, true, []]);
    expect(ready.plan).not.toHaveProperty('confirm');
    expect(ready.plan.summary).toEqual(
      message('running:undo.summary', { title: message('gadget:set', { state: 'WARNING' }) }),
    );
  });

  test('names the actual outcome of a partly failed run', async () => {
    refusalFor = (chunk) =>
      chunk[0]?.name === 'Well 7' ? new ConnectError('stuck', Code.FailedPrecondition) : undefined;
    const ready = await prepareEntry(await pauseAll());
    expect(ready.plan.summary).toEqual(
      message('running:undo.summary', { title: message('gadget:wasSet', { state: 'WARNING' }) }),
    );
  });

  test('shows the plan and confirmation text of a deletion', async () => {
    const ready = await prepareEntry(await runEntry(make));
    expect([ready.confirm, ready.plan.reversible, ready.plan.confirm]).toEqual([true, false, 'New']);
    expect(ready.plan.summary.key).toBe('gadget:drop');
  });

  test('names items that someone else has changed since', async () => {
    const entry = await pauseAll();
    byId('CCCC DDDD').state = 'OK';
    const ready = await prepareEntry(entry);
    expect(ready.confirm).toBe(true);
    expect(ready.plan.notes).toEqual([message('running:undo.conflict', { names: 'South pump' })]);
  });

  test.each([
    [3, message('running:undo.conflict', { names: 'G0, G1, G2' })],
    [4, message('running:undo.conflictMore', { count: 1, names: 'G0, G1, G2' })],
    [5, message('running:undo.conflictMore', { count: 2, names: 'G0, G1, G2' })],
  ])('names three of %d items that someone else changed', async (changed, note) => {
    gadgets = Array.from({ length: 6 }, (_, index) => ({
      id: `AAAA 000${index}`,
      name: `G${index}`,
      state: 'ERROR' as const,
    }));
    const many = await pauseAll();
    for (const item of gadgets.slice(0, changed)) item.state = 'OK';
    expect((await prepareEntry(many)).plan.notes).toEqual([note]);
  });

  const value = { before: 'ERROR', after: 'WARNING' };
  const list = (added: readonly string[], removed: readonly string[]) => ({ added, removed });
  /** Prepares the undo of a change whose inverse now changes `planned`. */
  async function prepareChange(recorded: Partial<Change>, planned: Partial<Change>) {
    const { run: completedRun } = await pauseAll();
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
    const entry = entryOf({ ...completedRun, changes: [{ ...change, ...recorded }] });
    const ready = await prepareUndo(
      { entry, skippedLater: false },
      { command: () => commandWithChange },
      testContext(),
    );
    return [ready.confirm, ready.plan.notes];
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
    const { run: completedRun } = await pauseAll();
    const remark = message('gadget:remark');
    const commandWithNotes: Command = { ...make, plan: async () => ({ ...(await simplePlan()), notes: [remark] }) };
    const inverse = [{ id: make.id, args: {} }];
    const commands = { command: () => commandWithNotes };
    const ready = await prepareUndo(
      { entry: entryOf({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect(ready.plan.notes).toEqual([remark]);
  });

  test('combines equal notes of its steps into one count', async () => {
    const { run: completedRun } = await pauseAll();
    const same = (count: number, field = 'state') => message('gadget:same', { count, field });
    const similar = message('gadget:similar', { count: 4, field: 'state' });
    const remarks = [
      [same(2), message('gadget:remark')],
      [same(1), same(1, 'name'), similar],
      [message('gadget:remark')],
    ];
    const upcoming = [...remarks];
    const plan: Command['plan'] = async () => ({ ...(await simplePlan()), notes: upcoming.shift() ?? [] });
    const commandWithNotes: Command = { ...make, plan };
    const inverse = remarks.map(() => ({ id: make.id, args: {} }));
    const commands = { command: () => commandWithNotes };
    const ready = await prepareUndo(
      { entry: entryOf({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect(ready.plan.notes).toEqual([same(3), message('gadget:remark'), same(1, 'name'), similar]);
  });

  test.each([
    ['names no organization if every step affects only the caller', ['gadget.mine', 'gadget.mine'], true],
    ['names no organization if the only step affects only the caller', ['gadget.mine'], true],
    ['names the organization if any step changes it', ['gadget.mine', 'gadget.make'], undefined],
    ['names the organization if no step has a plan', ['gadget.peek'], undefined],
  ])('%s', async (_name, ids, personal) => {
    const { run: completedRun } = await pauseAll();
    const mine = command({ id: 'gadget.mine', own: true, effect: 'write', plan: simplePlan, run: async () => ({}) });
    const commands = createRegistry([{ commands: [mine, make, peek] }]);
    const entry = entryOf({ ...completedRun, inverse: ids.map((id) => ({ id, args: {} })) });
    const ready = await prepareUndo({ entry, skippedLater: false }, commands, testContext());
    expect(ready.plan.personal).toBe(personal);
  });

  test('does not compare values that the command did not change', async () => {
    const entry = await pauseAll();
    byId('AAAA BBBB').state = 'ERROR';
    const [, ...others] = entry.run.changes ?? [];
    const ready = await prepareEntry(entryOf({ ...entry.run, changes: others }));
    expect([ready.confirm, ready.plan.count, ready.plan.notes]).toEqual([false, 3, []]);
  });

  test('reports progress across all steps', async () => {
    const { run: completedRun } = await pauseAll();
    const inverse = gadgets.map(({ id }) => ({ id: set.id, args: { gadgets: { ids: [id] }, state: 'OK' } }));
    const reports: Progress[] = [];
    const context = { ...testContext(), progress: (progress: Progress) => void reports.push(progress) };
    await prepareUndo({ entry: entryOf({ ...completedRun, inverse }), skippedLater: false }, registry, context);
    expect(reports.every(({ total }) => total === gadgets.length)).toBe(true);
    expect(reports.map((report) => report.done)).toEqual(gadgets.map((_, index) => index + 1));
  });

  test('makes an irreversible plan if any step is irreversible, and accepts steps without a plan', async () => {
    const { run: completedRun } = await pauseAll();
    const parts = [
      { id: 'gadget.peek', args: {} },
      { id: 'gadget.set', args: { gadgets: { ids: ['CCCC DDDD'] }, state: 'ERROR' } },
      { id: 'gadget.drop', args: { gadgets: { ids: ['AAAA BBBB'] } } },
    ];
    for (const inverse of [parts, parts.toReversed()]) {
      const { confirm, plan } = await prepareEntry(entryOf({ ...completedRun, inverse }));
      expect([confirm, plan.reversible, plan.count, plan.confirm]).toEqual([true, false, 2, '2']);
    }
  });

  test('plans no changes if everything was already reverted', async () => {
    const entry = await pauseAll();
    byId('AAAA BBBB').state = 'OK';
    byId('CCCC DDDD').state = byId('EEEE FFFF').state = 'ERROR';
    const ready = await prepareEntry(entry);
    expect([ready.plan.count, ready.confirm]).toEqual([0, false]);
  });

  test('requires confirmation after later changes or if the old changes are unknown', async () => {
    const entry = await pauseAll();
    expect((await prepareEntry(entry, true)).confirm).toBe(true);
    const withoutChanges = await prepareEntry(entryOf({ ...entry.run, changes: undefined }));
    expect([withoutChanges.confirm, keys(withoutChanges.plan.notes)]).toEqual([true, ['running:undo.unknown']]);
    const single = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    expect(keys((await prepareEntry(entryOf({ ...single.run, changes: undefined }))).plan.notes)).toEqual([
      'running:undo.unknown',
    ]);
    // The inverse changes no field, so there is nothing to compare.
    const creation = await runEntry(make);
    expect((await prepareEntry(entryOf({ ...creation.run, changes: undefined }))).plan.notes).toEqual([]);
  });

  test('skips deleted items', async () => {
    const entry = await pauseAll();
    gadgets = gadgets.filter(({ id }) => id !== 'CCCC DDDD');
    const ready = await prepareEntry(entry);
    expect([ready.plan.count, ready.plan.notes]).toEqual([2, [message('running:undo.gone', { count: 1 })]]);
    await runUndo(ready, registry, runContext(testContext(), true));
    expect(states()).toEqual(['OK', 'ERROR']);
  });

  test('names the change if its undo is refused', async () => {
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (error: { userMessage: unknown }) => error.userMessage,
      );
    const dropped = await runEntry(drop, { gadgets: { ids: ['AAAA BBBB'] } });
    expect(await refusal(prepareEntry(dropped))).toEqual(
      message('running:undo.irreversible', { title: message('gadget:drop') }),
    );
    const entry = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    gadgets = [];
    expect(await refusal(prepareEntry(entry))).toMatchObject({
      key: 'running:undo.refused',
      values: { title: { key: 'gadget:set' }, reason: { key: 'running:lookup.missing' } },
    });
    expect(
      await refusal(prepareEntry(entryOf({ ...entry.run, inverse: [{ id: 'gadget.none', args: {} }] }))),
    ).toMatchObject({
      values: { reason: { key: 'running:line.unknownCommand' } },
    });
    const context = testContext({ host: {} });
    const commandsWithNeed = { command: () => ({ ...make, needs: ['clipboard'] }) satisfies Command };
    expect(await refusal(prepareUndo({ entry, skippedLater: false }, commandsWithNeed, context))).toMatchObject({
      values: { reason: { key: 'core:unavailable.host' } },
    });
    const { summary: _, ...unnamed } = dropped.run;
    expect(await refusal(prepareEntry(entryOf(unnamed)))).toEqual(
      message('running:undo.irreversible', { title: message('gadget:commands.drop.title', { count: 1 }) }),
    );
  });

  test.each([
    ['from the server', new ConnectError('unavailable', Code.Unavailable), { code: Code.Unavailable }],
    ['from the command', new CommandError(message('gadget:no')), { userMessage: { key: 'running:undo.refused' } }],
  ])('rethrows an error %s without looking up missing items', async (_, error, passed) => {
    const entry = await pauseAll();
    const failingCommand: Command = { ...set, plan: () => Promise.reject(error) };
    lookups = 0;
    const prepared = prepareUndo({ entry, skippedLater: false }, { command: () => failingCommand }, testContext());
    await expect(prepared).rejects.toMatchObject(passed);
    expect(lookups).toBe(1);
  });
});

describe('running an undo', () => {
  test('restores old values with progress across all steps', async () => {
    const entry = await pauseAll();
    const progress: Progress[] = [];
    const context = testContext({ progress: (now) => progress.push(now) });
    const { outcome, remaining } = await runUndo(await prepareEntry(entry), registry, runContext(context, true));
    expect(states()).toEqual(['OK', 'ERROR', 'ERROR']);
    expect([remaining, outcome.changed, outcome.results?.length]).toEqual([[], ['gadget'], 3]);
    expect(outcome.message).toEqual(
      message('running:undo.done', { title: message('gadget:set', { state: 'WARNING' }) }),
    );
    expect(progress.at(-1)).toEqual({ done: 3, total: 3 });
    expect(progress.map(({ done }) => done)).toEqual([1, 2, 3]);
  });

  test('shows the message of its only step', async () => {
    const entry = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    const { outcome } = await runUndo(await prepareEntry(entry), registry, runContext(testContext(), true));
    expect(outcome.message).toEqual(message('gadget:wasSet', { state: 'ERROR' }));
  });

  test('names the change if its only step has the same message as the change', async () => {
    const entry = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    const repeated = entryOf({ ...entry.run, outcome: { message: message('gadget:wasSet', { state: 'ERROR' }) } });
    const { outcome } = await runUndo(await prepareEntry(repeated), registry, runContext(testContext(), true));
    expect(outcome.message).toEqual(message('running:undo.done', { title: message('gadget:set', { state: 'OK' }) }));
  });

  test("counts a step without a plan as one change, and shows only the other steps' messages", async () => {
    const { run: completedRun } = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    const silent = { id: peek.id, args: {} };
    const progress: Progress[] = [];
    const context = runContext(testContext({ progress: (now) => progress.push(now) }), true);
    const ready = await prepareEntry(entryOf({ ...completedRun, inverse: [silent, ...(completedRun.inverse ?? [])] }));
    const { outcome } = await runUndo(ready, registry, context);
    expect(outcome.message).toEqual(message('gadget:wasSet', { state: 'ERROR' }));
    expect(progress).toEqual([{ done: 1, total: 2 }]);
    const quiet = await runUndo(await prepareEntry(entryOf({ ...completedRun, inverse: [silent] })), registry, context);
    expect(quiet.outcome.message).toMatchObject({ key: 'running:undo.done' });
  });

  test('keeps failed items for another undo', async () => {
    const entry = await pauseAll();
    refusalFor = ([item]) =>
      item?.id === 'CCCC DDDD' ? new ConnectError('locked', Code.FailedPrecondition) : undefined;
    const { outcome, remaining } = await runUndo(await prepareEntry(entry), registry, runContext(testContext(), true));
    expect(states()).toEqual(['OK', 'WARNING', 'ERROR']);
    expect(remaining).toEqual([{ id: 'gadget.set', args: { gadgets: { ids: ['CCCC DDDD'] }, state: 'ERROR' } }]);
    expect(outcome.message).toMatchObject({ key: 'running:undo.part', values: { done: 2, total: 3 } });
    refusalFor = () => undefined;
    await runUndo(
      await prepareEntry(entryOf({ ...entry.run, inverse: remaining })),
      registry,
      runContext(testContext(), true),
    );
    expect(states()).toEqual(['OK', 'ERROR', 'ERROR']);
  });

  test('keeps a whole step if a failed item is not among its arguments', async () => {
    const { run: completedRun } = await runEntry(make);
    const failingCommand = command({
      id: 'gadget.unmake',
      effect: 'write',
      params: { state: p.text() },
      plan: simplePlan,
      run: async (context) => ({
        results: await runInBatches(context, {
          items: ['ABCD ABCD'],
          id: String,
          label: String,
          change: () => Promise.reject(new ConnectError('locked', Code.FailedPrecondition)),
        }),
      }),
    });
    const inverse = [{ id: failingCommand.id, args: { state: 'OK' } }];
    const commands = { command: () => failingCommand };
    const ready = await prepareUndo(
      { entry: entryOf({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect((await runUndo(ready, commands, runContext(testContext(), true))).remaining).toEqual(inverse);
  });

  test.each([
    [1, ['CCCC DDDD', 'EEEE FFFF']],
    [2, ['EEEE FFFF']],
  ])('keeps skipped items of every step if canceled after %d', async (lastDone, skippedIds) => {
    const { run: completedRun } = await pauseAll();
    const silent = { id: peek.id, args: {} };
    const ready = await prepareEntry(entryOf({ ...completedRun, inverse: [...(completedRun.inverse ?? []), silent] }));
    const controller = new AbortController();
    const progress = ({ done: doneCount }: Progress) => (doneCount === lastDone ? controller.abort() : undefined);
    const context = testContext({ signal: controller.signal, progress });
    const { outcome, remaining } = await runUndo(ready, registry, runContext(context, true));
    expect(gadgets.flatMap(({ id, state }) => (state === 'WARNING' ? id : []))).toEqual(skippedIds);
    expect(outcome.results?.filter(({ skipped }) => skipped).map(({ id }) => id)).toEqual(skippedIds);
    expect(remaining).toEqual([{ id: 'gadget.set', args: { gadgets: { ids: skippedIds }, state: 'ERROR' } }, silent]);
  });

  test('makes no further call if canceled between steps', async () => {
    const controller = new AbortController();
    let pokeCount = 0;
    const poke = command({
      id: 'gadget.poke',
      effect: 'write',
      plan: simplePlan,
      run: async () => {
        pokeCount++;
        controller.abort();
        return {};
      },
    });
    const { run: completedRun } = await runEntry(make);
    const inverse = [
      { id: poke.id, args: {} },
      { id: poke.id, args: {} },
    ];
    const commands = createRegistry([{ commands: [poke, make] }]);
    const ready = await prepareUndo(
      { entry: entryOf({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    const { remaining } = await runUndo(ready, commands, runContext(testContext({ signal: controller.signal }), true));
    expect([pokeCount, remaining]).toEqual([1, inverse.slice(1)]);
  });

  test('keeps the failed step and the steps after it if a step throws', async () => {
    const entry = await pauseAll();
    const [first, second] = entry.run.inverse ?? [];
    const ready = await prepareEntry(entry);
    const unavailable = new ConnectError('unavailable', Code.Unavailable);
    const failingCommand: Command = { ...set, run: () => Promise.reject(unavailable) };
    const steps = ready.steps.map((step, index) => (index === 1 ? { ...step, command: failingCommand } : step));
    const failure = await runUndo({ ...ready, steps }, registry, runContext(testContext(), true)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(UndoError);
    expect(failure).toMatchObject({ name: 'UndoError', cause: unavailable, undone: { remaining: [second] } });
    expect((failure as UndoError).undone.outcome.changed).toEqual(['gadget']);
    expect(first).toBeDefined();
    expect(states()).toEqual(['OK', 'WARNING', 'WARNING']);
  });
});
