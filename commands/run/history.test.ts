import { expect, test } from 'vitest';

import type { Change } from '#commands/model/plan.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import {
  EMPTY_HISTORY,
  hasSkippedLater,
  lastInvocation,
  markRemaining,
  markUndone,
  newestChange,
  addRun,
  findUndoable,
} from './history.ts';

const inverse = [{ id: 'gadget.reset', args: {} }];
const createRun = (overrides: Partial<CompletedRun> = {}): CompletedRun => ({
  invocation: { id: 'gadget.tune', args: {} },
  outcome: {},
  inverse,
  organization: 'northwind',
  changes: [],
  ...overrides,
});
const historyOf = (...entries: readonly CompletedRun[]) => entries.reduce(addRun, EMPTY_HISTORY);
const failedWith = (code: string): Partial<CompletedRun> => {
  const failure = { code, message: message('core:error.silent'), retryable: false };
  return { outcome: { results: [{ id: 'a', label: 'A', failure }] }, inverse: undefined };
};
const results = (...items: readonly ItemResult[]): Partial<CompletedRun> => ({ outcome: { results: items } });

test('removes an entry after 100 newer entries', () => {
  let history = addRun(EMPTY_HISTORY, createRun({ organization: 'first' }));
  for (let count = 0; count < 99; count++) history = addRun(history, createRun());
  expect(lastInvocation(history, 'first')).toBeDefined();
  expect(lastInvocation(addRun(history, createRun()), 'first')).toBeUndefined();
  expect(lastInvocation(addRun(history, createRun({ organization: 'last' })), 'last')).toBeDefined();
});

test('undoes the newest entry of an organization once, then the entry before it', () => {
  const history = historyOf(createRun(), createRun());
  const newest = findUndoable(history, 'northwind')!;
  expect([history.entries.indexOf(newest), findUndoable(history, 'acme')]).toEqual([1, undefined]);
  const after = markUndone(history, newest);
  expect(after.entries.map(({ undone }) => undone)).toEqual([false, true]);
  expect(findUndoable(after, 'northwind')).toBe(history.entries[0]);
  expect(findUndoable(markUndone(after, history.entries[0]!), 'northwind')).toBeUndefined();
  expect(lastInvocation(after, 'northwind')?.id).toBe('gadget.tune');
});

test('does not undo older changes after an irreversible change', () => {
  const history = historyOf(createRun(), createRun({ inverse: undefined }));
  expect(newestChange(history, 'northwind')).toBe(history.entries[1]);
  expect(findUndoable(history, 'northwind')).toBeUndefined();
});

test('skips entries that changed nothing, but not entries that may have changed something', () => {
  const skipped = results({ id: 'a', label: 'A', skipped: true });
  for (const unchanged of [
    failedWith('not_found'),
    failedWith('command'),
    skipped,
    results(),
    { harmless: true, inverse: undefined },
  ]) {
    const history = historyOf(createRun(), createRun({ inverse: undefined, ...unchanged }));
    expect(newestChange(history, 'northwind')).toBe(history.entries[0]);
    expect(hasSkippedLater(history, history.entries[0]!)).toBe(true);
  }
  for (const uncertain of [failedWith('unavailable'), results({ id: 'a', label: 'A' }), { harmless: true }]) {
    const history = historyOf(createRun(), createRun(uncertain));
    expect(newestChange(history, 'northwind')).toBe(history.entries[1]);
    expect(hasSkippedLater(history, history.entries[1]!)).toBe(false);
  }
});

test('reports skipping a later entry only within the same organization', () => {
  const history = historyOf(createRun(), createRun({ organization: 'acme' }), createRun());
  expect(hasSkippedLater(history, history.entries[0]!)).toBe(true);
  expect(hasSkippedLater(markUndone(history, history.entries[2]!), history.entries[0]!)).toBe(false);
});

test('keeps the remaining inverse of a partly undone entry', () => {
  const history = historyOf(createRun());
  const [entry] = history.entries;
  const remaining = [{ id: 'gadget.reset', args: { only: 'x' } }];
  const partlyUndone = markRemaining(history, entry!, remaining);
  expect(findUndoable(partlyUndone, 'northwind')?.run.inverse).toBe(remaining);
  expect(findUndoable(markRemaining(history, entry!, []), 'northwind')).toBeUndefined();
  const twoRuns = historyOf(createRun(), createRun());
  expect(markRemaining(twoRuns, twoRuns.entries[1]!, remaining).entries.map((item) => item.run.inverse)).toEqual([
    inverse,
    remaining,
  ]);
});

test('removes the changes of the oldest entries to limit memory', () => {
  const change: Change = { id: 'a', label: 'A', field: message('x:y') };
  const changeCounts = (...counts: readonly (number | undefined)[]) => {
    const runs = counts.map((length) =>
      createRun({ changes: length === undefined ? length : Array.from({ length }, () => change) }),
    );
    return historyOf(...runs).entries.map((entry) => entry.run.changes?.length);
  };
  expect(changeCounts(100_000, undefined, 100_000, 100_000)).toEqual([undefined, undefined, 100_000, 100_000]);
  expect(changeCounts(125_000, undefined, 125_000)).toEqual([125_000, undefined, 125_000]);
  expect(changeCounts(125_001, undefined, 125_000)).toEqual([undefined, undefined, 125_000]);
});
