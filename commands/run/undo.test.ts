import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import { runContext, type Progress } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import {
  set,
  make,
  peek,
  registry,
  createEntry,
  runEntry,
  setAllToWarning,
  prepareEntry,
  states,
  world,
  setUpGadgets,
} from '#commands/testkit/changing-gadgets.ts';
import { testContext } from '#commands/testkit/context.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { runInBatches } from './batch.ts';
import { runUndo, UndoError } from './undo-run.ts';
import { prepareUndo } from './undo.ts';

setUpGadgets();

describe('running an undo', () => {
  test('restores old values with progress across all steps', async () => {
    const entry = await setAllToWarning();
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
    const repeated = createEntry({ ...entry.run, outcome: { message: message('gadget:wasSet', { state: 'ERROR' }) } });
    const { outcome } = await runUndo(await prepareEntry(repeated), registry, runContext(testContext(), true));
    expect(outcome.message).toEqual(message('running:undo.done', { title: message('gadget:set', { state: 'OK' }) }));
  });

  test("counts a step without a plan as one change, and shows only the other steps' messages", async () => {
    const { run: completedRun } = await runEntry(set, { gadgets: { ids: ['CCCC DDDD'] }, state: 'OK' });
    const silent = { id: peek.id, args: {} };
    const progress: Progress[] = [];
    const context = runContext(testContext({ progress: (now) => progress.push(now) }), true);
    const ready = await prepareEntry(
      createEntry({ ...completedRun, inverse: [silent, ...(completedRun.inverse ?? [])] }),
    );
    const { outcome } = await runUndo(ready, registry, context);
    expect(outcome.message).toEqual(message('gadget:wasSet', { state: 'ERROR' }));
    expect(progress).toEqual([{ done: 1, total: 2 }]);
    const undoResult = await runUndo(
      await prepareEntry(createEntry({ ...completedRun, inverse: [silent] })),
      registry,
      context,
    );
    expect(undoResult.outcome.message).toMatchObject({ key: 'running:undo.done' });
  });

  test('keeps failed items for another undo', async () => {
    const entry = await setAllToWarning();
    world.rejectionFor = ([item]) =>
      item?.id === 'CCCC DDDD' ? new ConnectError('locked', Code.FailedPrecondition) : undefined;
    const { outcome, remaining } = await runUndo(await prepareEntry(entry), registry, runContext(testContext(), true));
    expect(states()).toEqual(['OK', 'WARNING', 'ERROR']);
    expect(remaining).toEqual([{ id: 'gadget.set', args: { gadgets: { ids: ['CCCC DDDD'] }, state: 'ERROR' } }]);
    expect(outcome.message).toMatchObject({ key: 'running:undo.part', values: { done: 2, total: 3 } });
    world.rejectionFor = () => undefined;
    await runUndo(
      await prepareEntry(createEntry({ ...entry.run, inverse: remaining })),
      registry,
      runContext(testContext(), true),
    );
    expect(states()).toEqual(['OK', 'ERROR', 'ERROR']);
  });

  test("keeps a whole step if a failed item isn't among its arguments", async () => {
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
      { entry: createEntry({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    expect((await runUndo(ready, commands, runContext(testContext(), true))).remaining).toEqual(inverse);
  });

  test.each([
    [1, ['CCCC DDDD', 'EEEE FFFF']],
    [2, ['EEEE FFFF']],
  ])('keeps skipped items of every step if canceled after %d', async (lastDone, skippedIds) => {
    const { run: completedRun } = await setAllToWarning();
    const silent = { id: peek.id, args: {} };
    const ready = await prepareEntry(
      createEntry({ ...completedRun, inverse: [...(completedRun.inverse ?? []), silent] }),
    );
    const controller = new AbortController();
    const progress = ({ done: doneCount }: Progress) => (doneCount === lastDone ? controller.abort() : undefined);
    const context = testContext({ signal: controller.signal, progress });
    const { outcome, remaining } = await runUndo(ready, registry, runContext(context, true));
    expect(world.gadgets.flatMap(({ id, state }) => (state === 'WARNING' ? id : []))).toEqual(skippedIds);
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
      { entry: createEntry({ ...completedRun, inverse }), skippedLater: false },
      commands,
      testContext(),
    );
    const { remaining } = await runUndo(ready, commands, runContext(testContext({ signal: controller.signal }), true));
    expect([pokeCount, remaining]).toEqual([1, inverse.slice(1)]);
  });

  test('keeps the failed step and the steps after it if a step throws', async () => {
    const entry = await setAllToWarning();
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
