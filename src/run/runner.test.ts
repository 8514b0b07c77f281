import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Args } from '#commands/model/invocation.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { TableHost } from '#commands/model/screen-hosts.ts';
import { EMPTY_HISTORY } from '#commands/run/history.ts';
import { prepare } from '#commands/run/run.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { loadAllStrings, i18n } from '#src/i18n/i18n.ts';
import { loadAll, registry } from '#src/registry/registry.ts';
import { visibleTargetsAtom, tableHostAtom } from '#src/state/focus.ts';
import {
  holdKeys,
  dropHeldKeys,
  isDiscarded,
  isLayerPending,
  runOrEnqueue,
  stopDiscarding,
} from '#src/state/key-queue.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { canceledRunAtom, historyAtom, reportAtom, revealAtom, runningCommandsAtom } from '#src/state/work.ts';

import { contextNow, provide } from './context.ts';
import { lastRun } from './last-run.ts';
import { continueRun, execute, repeat, retry, start } from './runner.ts';
import { crane } from './testkit/crane.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/crane.ts')).loaders);

const oneGadget = { gadgets: { ids: ['AAAA BBBB'] } };
const titles = () => toasts.list().map(({ title }) => title);
const executeCommand = async (id: string, args: Args = {}) =>
  execute(await prepare(registry().command(id)!, args, contextNow()));
const failedResult = (id: string, more: object = {}) => ({
  id,
  label: id,
  failure: { code: 'failed_precondition', message: message('crane:stuck'), retryable: false, ...more },
});
/** Runs a command with the given outcome. */
const finish = (id: string, outcome: Outcome, args?: Args) => {
  crane.outcome = outcome;
  return start({ id, args: args ?? (id === 'crane.lift' || id === 'crane.look' ? oneGadget : {}) });
};

beforeAll(async () => {
  i18n.addResourceBundle('en', 'crane', {
    done: 'Done',
    stuck: 'Stuck',
    commands: { look: { title_one: 'Look at gadget', title_other: 'Look at gadgets' } },
  });
  await Promise.all([loadAllStrings(), loadAll()]);
});

beforeEach(() => {
  Object.assign(crane, { outcome: {}, during: () => undefined, duringPlan: () => undefined });
  crane.runs.length = 0;
  for (const { id } of toasts.list()) toasts.close(id);
  store.set(historyAtom, EMPTY_HISTORY);
  store.set(paletteAtom, { open: false });
  store.set(formAtom, undefined);
  for (const atom of [canceledRunAtom, reportAtom, revealAtom, tableHostAtom])
    store.set(atom as typeof revealAtom, undefined);
  store.set(visibleTargetsAtom, {});
  dropHeldKeys();
  stopDiscarding();
  store.set(userSessionAtom, testSession());
});

describe('starting a command', () => {
  test('runs it immediately if nothing is missing', async () => {
    await start({ id: 'crane.lower', args: {} });
    expect([crane.runs.length, store.get(paletteAtom).open, store.get(formAtom)]).toEqual([1, false, undefined]);
  });

  test('prompts for missing arguments in the palette, and for long text in a form', async () => {
    await start({ id: 'crane.name', args: {} });
    expect(store.get(paletteAtom)).toEqual({ open: true, start: { invocation: { id: 'crane.name', args: {} } } });
    store.set(paletteAtom, { open: false });
    await start({ id: 'crane.note', args: {} });
    expect([store.get(formAtom), store.get(paletteAtom).open]).toEqual([{ id: 'crane.note', args: {} }, false]);
    expect(crane.runs).toEqual([]);
  });

  test('shows the plan in the palette if it needs confirmation', async () => {
    await start({ id: 'crane.wreck', args: {} });
    expect(store.get(paletteAtom)).toMatchObject({
      open: true,
      start: { invocation: { id: 'crane.wreck', args: {} } },
      preparedRun: { plan: { count: 1, reversible: false } },
    });
    expect(crane.runs).toEqual([]);
  });

  test('shows that a plan takes a while', async () => {
    vi.useFakeTimers();
    try {
      let finish = (): void => undefined;
      crane.duringPlan = () => new Promise<void>((resolve) => (finish = resolve));
      const done = start({ id: 'crane.wreck', args: {} });
      await vi.advanceTimersByTimeAsync(100);
      expect(store.get(runningCommandsAtom)).toEqual([]);
      await vi.advanceTimersByTimeAsync(1000);
      expect(store.get(runningCommandsAtom)).toMatchObject([
        { title: { key: 'running:palette.planningOf' }, writes: false },
      ]);
      finish();
      await done;
      expect(store.get(runningCommandsAtom)).toEqual([]);
      expect(store.get(paletteAtom).open).toBe(true);
      // A short plan is never shown.
      store.set(paletteAtom, { open: false });
      crane.duringPlan = () => undefined;
      await start({ id: 'crane.wreck', args: {} });
      await vi.advanceTimersByTimeAsync(1000);
      expect(store.get(runningCommandsAtom)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('acts on the target that is on the screen', async () => {
    store.set(visibleTargetsAtom, { table: { entity: 'gadget', row: { id: 'CCCC DDDD', name: message('core:x') } } });
    await start({ id: 'crane.lift', args: {} });
    expect(crane.runs).toMatchObject([{ gadgets: { ids: ['CCCC DDDD'] } }]);
  });

  test('reports an unknown command or a failed run once', async () => {
    await start({ id: 'crane.fly', args: {} });
    expect([titles().length, titles()[0]]).toEqual([1, expect.stringContaining('crane.fly')]);
    crane.during = () => Promise.reject(new Error('broken'));
    await start({ id: 'crane.lower', args: {} });
    expect(toasts.list()).toHaveLength(2);
    expect(toasts.list()[0]?.tone).toBe('error');
    expect([await executeCommand('crane.lower'), lastRun()]).toEqual([undefined, undefined]);
  });
});

describe('a running command', () => {
  const runningIn = async (id: string, args?: Args) => {
    let runningTasks: unknown;
    crane.during = () => {
      runningTasks = store.get(runningCommandsAtom).map(({ title, writes }) => [title.key, writes]);
    };
    await executeCommand(id, args);
    return runningTasks;
  };

  test('appears with its plan or title and counts as a change only if it changes something', async () => {
    expect(await runningIn('crane.lower')).toEqual([['gadget:plan', true]]);
    expect(await runningIn('crane.wreck')).toEqual([['gadget:plan', true]]);
    expect(await runningIn('crane.look', oneGadget)).toEqual([['crane:commands.look.title', false]]);
    expect(store.get(runningCommandsAtom)).toEqual([]);
  });

  test('stays hidden if it only navigates', async () => {
    expect(await runningIn('crane.visit')).toEqual([]);
  });

  test('shows its own progress and is canceled separately', async () => {
    const { track } = await import('./track.ts');
    const finishers: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const startTask = (done: number) =>
      track({ title: message('core:x'), writes: false }, async ({ progress, signal }) => {
        progress({ done, total: 9 });
        signals.push(signal);
        await new Promise<void>((resolve) => finishers.push(resolve));
      });
    const tasks = [startTask(1), startTask(2)];
    expect(store.get(runningCommandsAtom).map(({ progress }) => progress)).toEqual([
      { done: 1, total: 9 },
      { done: 2, total: 9 },
    ]);
    store.get(runningCommandsAtom)[1]?.cancel();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    finishers[0]?.();
    await tasks[0];
    expect(store.get(runningCommandsAtom).map(({ progress }) => progress?.done)).toEqual([2]);
    finishers[1]?.();
    await tasks[1];
    expect(store.get(runningCommandsAtom)).toEqual([]);
  });
});

describe('keys typed for the prompt of a command', () => {
  test('wait for the palette that the command opens', async () => {
    const later = vi.fn<() => void>();
    crane.during = () => {
      runOrEnqueue(later);
      expect(isLayerPending()).toBe(true);
      store.set(paletteAtom, { open: true, start: undefined });
    };
    await executeCommand('crane.ask');
    // This test does not render the open palette.
    expect([isLayerPending(), later.mock.calls.length, isDiscarded('x')]).toEqual([true, 0, false]);
  });

  test('reach the palette that is already on the page', async () => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    document.body.append(dialog);
    const later = vi.fn<() => void>();
    crane.during = () => {
      runOrEnqueue(later);
      store.set(paletteAtom, { open: true, start: undefined });
    };
    await executeCommand('crane.ask');
    expect(isLayerPending()).toBe(false);
    await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(1));
    dialog.remove();
  });

  test("are discarded if the command doesn't prompt", async () => {
    const later = vi.fn<() => void>();
    crane.during = () => runOrEnqueue(later);
    await executeCommand('crane.ask');
    expect([isLayerPending(), isDiscarded('x')]).toEqual([false, true]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(later).not.toHaveBeenCalled();
  });

  test('run immediately during any other command', async () => {
    const later = vi.fn<() => void>();
    crane.during = () => runOrEnqueue(later);
    await executeCommand('crane.look', oneGadget);
    expect([later.mock.calls.length, isDiscarded('x')]).toEqual([1, false]);
    const hold = holdKeys();
    store.set(paletteAtom, { open: true, start: undefined });
    await executeCommand('crane.look', oneGadget);
    expect(hold.isHeld()).toBe(true);
    hold.drop();
    expect(isLayerPending()).toBe(false);
  });
});

describe("a command's result", () => {
  const doneMessage = message('crane:done');
  const results = [{ id: 'AAAA BBBB', label: 'North pump' }];
  const skipped = { id: 'EEEE FFFF', label: 'Well 7', skipped: true as const };

  test('offers to undo a change', async () => {
    await finish('crane.lift', { results, message: doneMessage });
    expect(toasts.list()).toMatchObject([
      { title: 'Done', tone: 'neutral', action: { label: 'Undo', untilNextChange: true } },
    ]);
    expect(toasts.list()[0]?.action?.keys?.text).toBe('u');
    expect(toasts.list()[0]).not.toHaveProperty('detail');
    const undo = vi.fn<() => Promise<void>>();
    provide({ history: { undo, repeat, last: lastRun } });
    toasts.list()[0]?.action?.run();
    await vi.waitFor(() => expect(undo).toHaveBeenCalledTimes(1));
  });

  test("doesn't offer to undo a read, or record it as the last change", async () => {
    await finish('crane.lift', { results, message: doneMessage });
    await finish('crane.look', { message: doneMessage });
    expect(toasts.list().map(({ action }) => action?.label)).toEqual([undefined, 'Undo']);
    expect(lastRun()?.id).toBe('crane.lift');
    await finish('crane.lower', { message: doneMessage });
    expect(toasts.list().map(({ action }) => action?.label)).toEqual([undefined, undefined, undefined]);
    expect(lastRun()?.id).toBe('crane.lower');
  });

  test('stays hidden without a message or if the command only navigates', async () => {
    await finish('crane.lower', {});
    await finish('crane.visit', { message: doneMessage });
    expect([titles(), lastRun()?.id]).toEqual([[], 'crane.lower']);
  });

  test('stays visible until closed if the user must see it', async () => {
    const reveal = { title: doneMessage, value: 'abc' } as unknown as NonNullable<Outcome['reveal']>;
    await finish('crane.lower', { reveal });
    await finish('crane.lower', {});
    expect(store.get(revealAtom)).toBe(reveal);
  });

  test('reports a partly failed change as an error that selects the failed items', async () => {
    const select = vi.fn<(target: unknown) => void>();
    const table = (entity: string) =>
      store.set(tableHostAtom, { entityName: () => entity, select, pinActiveRow: () => {} } as unknown as TableHost);
    const outcome = { results: [...results, failedResult('CCCC DDDD')], message: doneMessage };
    table('widget');
    await finish('crane.lift', outcome);
    expect(select).not.toHaveBeenCalled();
    table('gadget');
    await finish('crane.lift', outcome);
    expect(select.mock.calls).toEqual([[{ ids: ['CCCC DDDD'] }]]);
    expect(toasts.list()[0]).toMatchObject({ title: 'Done', tone: 'error' });
    expect(store.get(reportAtom)?.outcome.results).toHaveLength(2);
    await finish('crane.lift', { results, message: doneMessage });
    expect([store.get(reportAtom), select.mock.calls.length]).toEqual([undefined, 1]);
    store.set(tableHostAtom, undefined);
    await finish('crane.lift', outcome);
    expect(store.get(reportAtom)).toBeDefined();
  });

  test('offers to continue a canceled change with the remaining items, until the next change', async () => {
    await finish('crane.lift', { results: [...results, skipped], message: doneMessage });
    expect(toasts.list()[0]).toMatchObject({
      title: 'Done',
      detail: expect.stringContaining('1'),
      action: { label: 'Continue with the remaining 1', untilNextChange: true },
    });
    await finish('crane.look', { message: doneMessage });
    crane.runs.length = 0;
    await continueRun();
    expect(crane.runs).toMatchObject([{ gadgets: { ids: ['EEEE FFFF'] } }]);
    await finish('crane.lift', { results: [...results, skipped] });
    await finish('crane.lower', {});
    await expect(continueRun()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToContinue' } });
  });

  test('refreshes what changed', async () => {
    const changedEntities: string[] = [];
    const stop = onChange(({ entity }) => changedEntities.push(entity));
    await finish('crane.lower', { changed: ['gadget'] });
    await vi.waitFor(() => expect(changedEntities).toContain('gadget'));
    stop();
  });
});

describe('running a command again', () => {
  const skippedOutcome = { results: [{ id: 'AAAA BBBB', label: 'x', skipped: true as const }] };

  test('needs an earlier run', async () => {
    const key = (name: string) => ({ userMessage: { key: `running:history.${name}` } });
    await expect(repeat()).rejects.toMatchObject(key('nothingToRepeat'));
    await expect(retry()).rejects.toMatchObject(key('nothingToRetry'));
    await expect(continueRun()).rejects.toMatchObject(key('nothingToContinue'));
  });

  test('reports that a batch is still running if there is nothing to retry or to continue yet', async () => {
    let finishRun = (): void => undefined;
    crane.during = () => new Promise<void>((resolve) => (finishRun = resolve));
    const running = finish('crane.lift', {});
    await vi.waitFor(() => expect(crane.runs).toHaveLength(1));
    const expected = { userMessage: { key: 'running:history.unfinished' } };
    await expect(retry()).rejects.toMatchObject(expected);
    await expect(continueRun()).rejects.toMatchObject(expected);
    finishRun();
    await running;
    await expect(retry()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToRetry' } });
  });

  test('retries only the items that failed', async () => {
    await finish('crane.lift', { results: [{ id: 'AAAA BBBB', label: 'x' }, failedResult('CCCC DDDD')] });
    crane.runs.length = 0;
    crane.outcome = {};
    await retry();
    expect(crane.runs).toMatchObject([{ gadgets: { ids: ['CCCC DDDD'] } }]);
  });

  test('continues only in the same organization', async () => {
    await finish('crane.lift', skippedOutcome);
    store.set(
      userSessionAtom,
      (session) => session && { ...session, organization: { ...session.organization, id: 'south' } },
    );
    crane.runs.length = 0;
    await expect(continueRun()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToContinue' } });
    expect([crane.runs, lastRun()]).toEqual([[], undefined]);
  });

  test('prompts for missing values again', async () => {
    await finish('crane.name', {}, { name: 'Tower' });
    crane.runs.length = 0;
    await repeat();
    expect(crane.runs).toMatchObject([{ name: 'Tower' }]);
  });
});
