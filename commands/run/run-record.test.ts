import { describe, expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { Failure } from '#commands/model/errors.ts';
import { fileValue } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { maybeChanged, resultKind } from '#commands/model/result.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { createRunRecord, toInterruptedRun, type CallRecord } from './run-record.ts';
import { prepare, resumeInvocation, retryInvocation } from './run.ts';
import { restoreRun, toStoredChange } from './stored-change.ts';

const [a, b, c] = ['AAAA BBBB', 'CCCC DDDD', 'EEEE FFFF'] as const;
const all = { gadgets: { ids: [a, b, c] } };

/** Sets a state. Undo restores the former states, which differ. */
const set = command({
  id: 'gadget.set',
  effect: 'write',
  params: {
    gadgets: p.many(() => gadget),
    password: p.secret(),
    picture: p.file({ accept: ['image/png'], maxBytes: 9 }),
  },
  plan: async (_context, { gadgets: { items } }) => ({
    summary: message('gadget:set'),
    count: items.length,
    changes: items.map(({ id, name }) => ({ id, label: name, field: message('gadget:state'), after: 'OK' })),
    reversible: true,
  }),
  run: async () => ({}),
  inverse: ({ gadgets: { items } }, { results = [] }) => [
    { id: 'gadget.was', args: { gadgets: { ids: results.slice(0, 1).map(({ id }) => id) }, state: 'OK' } },
    { id: 'gadget.was', args: { gadgets: { ids: items.slice(1).map(({ id }) => id) }, state: 'ERROR' } },
  ],
});

/** Sends a message to each item. It has no changes to compare. */
const notify = command({
  id: 'gadget.notify',
  effect: 'write',
  params: { gadgets: p.many(() => gadget) },
  plan: async () => ({ summary: message('gadget:notify'), count: 3, changes: [], reversible: false }),
  run: async () => ({}),
});

const key = { id: 'r1', startedAt: 7 };
const recordOf = async (declared = set, args: Args = all) =>
  createRunRecord(await prepare(declared, args, testContext()), testContext(), key);

const stuck: Failure = { code: 'failed_precondition', message: message('gadget:stuck'), retryable: false };
const interrupted = async (calls: readonly CallRecord[], declared = set) =>
  toInterruptedRun((await recordOf(declared))!, calls);

describe('the record of a run', () => {
  test('names the user, the organization, the items, and the commands that undo it', async () => {
    const record = await recordOf();
    expect(record).toEqual({
      ...key,
      person: '1',
      organization: 'northwind',
      invocation: { id: 'gadget.set', args: all },
      summary: message('gadget:set'),
      ids: [a, b, c],
      labels: ['North pump', 'South pump', 'Well 7'],
      inverse: [
        { id: 'gadget.was', args: { gadgets: { ids: [a] }, state: 'OK' } },
        { id: 'gadget.was', args: { gadgets: { ids: [b, c] }, state: 'ERROR' } },
      ],
      isRepeatable: true,
    });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  test('names the items of a plan without changes', async () => {
    expect(await recordOf(notify)).toMatchObject({ ids: [a, b, c], inverse: [], isRepeatable: false });
  });

  test("doesn't exist if an argument can't be stored, or without items to continue with", async () => {
    expect(await recordOf(set, { ...all, password: 'hunter2' })).toBeUndefined();
    const picture = fileValue({ name: 'a.png', mediaType: 'image/png', bytes: new Uint8Array([1]) });
    expect(await recordOf(set, { ...all, picture })).toBeUndefined();
    const plan = async () => ({ summary: message('gadget:set'), count: 1, changes: [], reversible: false });
    const alone = command({ id: 'gadget.alone', effect: 'write', plan, run: async () => ({}) });
    expect(await recordOf(alone, {})).toBeUndefined();
  });

  test("has no inverse if it can't be limited to some items", async () => {
    const args = { gadgets: { ids: [a] }, mode: 'INSTALLED', label: 'x' };
    const unlimited = { ...tune, inverse: () => [{ id: 'gadget.reset', args: { label: 'x' } }] };
    expect(await recordOf(unlimited, args)).toMatchObject({ inverse: [] });
  });
});

describe('an interrupted run', () => {
  test('has a result for each item', async () => {
    const { outcome, ...run } = await interrupted([
      { ids: [a], failures: [] },
      { ids: [b], failures: [{ id: b, failure: stuck }] },
    ]);
    expect(outcome.results?.map((result) => [result.id, result.label, resultKind(result)])).toEqual([
      [a, 'North pump', 'done'],
      [b, 'South pump', 'failed'],
      [c, 'Well 7', 'skipped'],
    ]);
    expect(run).toMatchObject({ recordId: 'r1', organization: 'northwind', interrupted: true });
    expect(run.summary).toEqual(message('running:interrupted.title', { title: message('gadget:set') }));
  });

  test('can undo what was done or may have been done, and nothing else', async () => {
    const inverseAfter = async (...calls: CallRecord[]) => (await interrupted(calls)).inverse?.map(({ args }) => args);
    expect(await inverseAfter({ ids: [a, b], failures: [] })).toEqual([
      { gadgets: { ids: [a] }, state: 'OK' },
      { gadgets: { ids: [b] }, state: 'ERROR' },
    ]);
    expect(await inverseAfter({ ids: [a], failures: [{ id: a, failure: stuck }] }, { ids: [b] })).toEqual([
      { gadgets: { ids: [b] }, state: 'ERROR' },
    ]);
    expect(await inverseAfter()).toBeUndefined();
  });

  test('continues with items that were not tried, and those without a response if it compares them', async () => {
    const calls = [{ ids: [a], failures: [] }, { ids: [b] }];
    const run = await interrupted(calls);
    expect(run.outcome.results?.map(resultKind)).toEqual(['done', 'unknown', 'skipped']);
    expect(resumeInvocation(set, run)).toEqual({ id: 'gadget.set', args: { gadgets: { ids: [b, c] } } });
    const notification = await interrupted(calls, notify);
    expect(resumeInvocation(notify, notification)?.args).toEqual({ gadgets: { ids: [c] } });
    // Only the user can decide to notify it again.
    expect(retryInvocation(notify, notification)?.args).toEqual({ gadgets: { ids: [b] } });
  });

  test('counts items of a call that failed without a response as possibly changed', async () => {
    const away: Failure = { code: 'unavailable', message: message('core:error.connection'), retryable: true };
    const run = await interrupted([{ ids: [a], failures: [{ id: a, failure: away }] }]);
    expect(maybeChanged(run.outcome).map(({ id }) => id)).toEqual([a]);
    expect(run.inverse).toEqual([{ id: 'gadget.was', args: { gadgets: { ids: [a] }, state: 'OK' } }]);
  });

  test('is known by its record after another reload', async () => {
    const run = await interrupted([{ ids: [a], failures: [] }]);
    const commands = { command: () => set };
    const stored = JSON.parse(JSON.stringify(toStoredChange(run, commands))) as ReturnType<typeof toStoredChange>;
    expect(restoreRun(stored)).toMatchObject({ recordId: 'r1', interrupted: true, inverse: run.inverse });
  });
});
