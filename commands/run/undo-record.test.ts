import { expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { CallMonitor } from '#commands/model/context.ts';
import { runContext } from '#commands/model/context.ts';
import type { Failure } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import { resultKind } from '#commands/model/result.ts';
import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import type { Entry } from './history.ts';
import { recordCalls, type CallRecord } from './run-record.ts';
import { createRecordOfUndo, toInterruptedUndo } from './undo-record.ts';
import { runUndo } from './undo-run.ts';
import { prepareUndo } from './undo.ts';

const [a, b] = ['AAAA BBBB', 'CCCC DDDD'] as const;

/** Creates a gadget, which has no id yet. */
const create = command({
  id: 'gadget.create',
  effect: 'write',
  params: { name: p.text() },
  plan: async (_context, { name = '' }) => ({
    summary: message('gadget:create'),
    count: 1,
    changes: [{ id: '', label: name, field: message('gadget:name'), after: name }],
    reversible: true,
  }),
  run: async (_context, { name = '' }) => ({ results: [{ id: 'new', label: name }] }),
});

const registry = { command: (id: string) => [create, tune].find((declared) => declared.id === id) };

const entry: Entry = {
  undone: false,
  run: {
    invocation: { id: 'gadget.create', args: {} },
    outcome: {},
    organization: 'northwind',
    inverse: [
      { id: 'gadget.create', args: { name: 'North pump' } },
      { id: 'gadget.create', args: { name: 'South pump' } },
      { id: 'gadget.create', args: { name: 'Well 7' } },
    ],
  },
};

const key = { id: 'u1', startedAt: 7 };
const stuck: Failure = { code: 'failed_precondition', message: message('gadget:stuck'), retryable: false };

async function prepareRecord() {
  const preparedUndo = await prepareUndo({ entry, skippedLater: false }, registry, testContext());
  const record = createRecordOfUndo({ command: create, undoes: preparedUndo }, testContext(), key, registry)!;
  return { preparedUndo, record };
}

/** Runs an undo, and returns its calls as a journal stores them. */
async function follow(preparedUndo: Awaited<ReturnType<typeof prepareRecord>>['preparedUndo']) {
  const calls = new Map<number, CallRecord>();
  const history: CallRecord[][] = [];
  const recorder = recordCalls(async (number, call) => {
    calls.set(number, call);
    history.push([...calls.values()]);
  });
  const monitor: CallMonitor = { ready: async () => undefined, ...recorder };
  await runUndo(preparedUndo, registry, runContext(testContext(), true, { monitor }));
  return history;
}

test('a step that creates an item is not done again, even if it had no response', async () => {
  const { preparedUndo, record } = await prepareRecord();
  const history = await follow(preparedUndo);
  // Each step begins and ends.
  expect(history).toHaveLength(6);
  const { run, change } = toInterruptedUndo(record, history[2]!)!;
  expect(run.outcome.results!.map((result) => [result.label, resultKind(result)])).toEqual([
    ['North pump', 'done'],
    ['South pump', 'unknown'],
    ['Well 7', 'skipped'],
  ]);
  expect(change.inverse).toEqual([{ id: 'gadget.create', args: { name: 'Well 7' } }]);
});

test('what failed is left to undo', async () => {
  const { record } = await prepareRecord();
  const [first] = record.ids;
  const { change } = toInterruptedUndo(record, [{ ids: record.ids, failures: [{ id: first!, failure: stuck }] }])!;
  expect(change.inverse).toEqual([{ id: 'gadget.create', args: { name: 'North pump' } }]);
});

test('an item in two steps is left in the step that did not change it', async () => {
  const steps = [
    { id: 'gadget.tune', args: { gadgets: { ids: [a, b] }, name: 'x' } },
    { id: 'gadget.tune', args: { gadgets: { ids: [a, b] }, name: 'y' } },
  ];
  const { record } = await prepareRecord();
  const parts = { ids: [`0 ${a}`, `0 ${b}`, `1 ${a}`, `1 ${b}`], labels: ['A', 'B', 'A', 'B'] };
  const calls: readonly CallRecord[] = [{ ids: [`0 ${a}`, `0 ${b}`], failures: [] }, { ids: [`1 ${a}`] }];
  const { run, change } = toInterruptedUndo({ ...record, ...parts, inverse: steps }, calls)!;
  expect(change.inverse).toEqual([{ id: 'gadget.tune', args: { gadgets: { ids: [a, b] }, name: 'y' } }]);
  expect(run.outcome.results!.map((result) => [result.id, resultKind(result)])).toEqual([
    [a, 'unknown'],
    [b, 'skipped'],
  ]);
});
