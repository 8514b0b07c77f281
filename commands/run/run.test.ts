import { describe, expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command } from '#commands/model/command.ts';
import { fileValue } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import { testContext } from '#commands/testkit/context.ts';
import { reset, simplePlan, tune } from '#commands/testkit/gadget.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import { prepare, repeatInvocation, resumeInvocation, retryInvocation, run } from './run.ts';

const selectedContext = testContext({
  focus: { entity: 'gadget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' },
});
const note = message('gadget:dries');

test("aborts a canceled command's calls only if the command does not write", async () => {
  const effects = [
    { effect: 'write', plan: simplePlan },
    { effect: 'destructive', plan: simplePlan },
    { effect: 'read' },
    { effect: 'navigate' },
  ] as const;
  const abortedSignals = effects.map(async (effect) => {
    const controller = new AbortController();
    const abortStates: boolean[] = [];
    const stoppable = command({
      id: 'gadget.stops',
      ...effect,
      run: async ({ signal, stop }) => {
        controller.abort();
        abortStates.push(signal.aborted, stop.aborted);
        return {};
      },
    });
    const context = testContext({ signal: controller.signal });
    await run({ command: stoppable, args: {}, resolved: {}, plan: undefined, confirm: false }, context);
    return abortStates;
  });
  expect(await Promise.all(abortedSignals)).toEqual([
    [false, true],
    [false, true],
    [true, true],
    [true, true],
  ]);
});

describe('a completed run', () => {
  const args = { gadgets: { query: 'state:ERROR' }, mode: 'INSTALLED', password: 'hunter2' };
  const runTune = async (): Promise<CompletedRun> => run(await prepare(tune, args, testContext()), testContext());

  test('stores its inverse but no secrets', async () => {
    const { invocation, inverse } = await runTune();
    expect(invocation.args).toEqual({ ...args, password: ASK });
    expect(inverse).toEqual([{ id: 'gadget.tune', args: { gadgets: args.gadgets, mode: 'INSTALLED' } }]);
  });

  test('stores file names but no hidden values, and leaves other arguments unchanged', async () => {
    const keep = command({
      id: 'gadget.keep',
      effect: 'write',
      plan: simplePlan,
      params: {
        header: p.pairs({ hidden: true }),
        shown: p.pairs(),
        picture: p.file({ accept: ['image/png'], maxBytes: 1024 }),
        password: p.secret({ clears: true }),
        label: p.text(),
      },
      run: async () => ({}),
    });
    const storedInvocation = async (args: Args) =>
      (await run({ command: keep, args, resolved: {}, plan: undefined, confirm: false }, testContext())).invocation;
    const picture = fileValue({ name: 'logo.png', mediaType: 'image/png', bytes: new Uint8Array([1, 2]) });
    const pairs = { 'X-Key': 'hunter2', 'X-Blank': '' };
    expect(
      await storedInvocation({ header: pairs, shown: pairs, picture, password: 'hunter2', label: picture }),
    ).toEqual({
      id: 'gadget.keep',
      args: {
        header: { 'X-Key': ASK, 'X-Blank': '' },
        shown: pairs,
        picture: '@logo.png',
        password: ASK,
        label: picture,
      },
    });
    const emptyArgs = { header: undefined, picture: undefined, password: undefined };
    expect((await storedInvocation(emptyArgs)).args).toStrictEqual(emptyArgs);
    expect((await storedInvocation({ password: '' })).args).toEqual({ password: '' });
    // Keep an argument from an older release.
    expect((await storedInvocation({ gone: 'x' })).args).toEqual({ gone: 'x' });
  });

  test("has no inverse if the command doesn't return one", async () => {
    const inverse = () => [];
    const irreversible = command({
      id: 'gadget.done',
      effect: 'write',
      plan: simplePlan,
      run: async () => ({}),
      inverse,
    });
    expect((await run(await prepare(irreversible, {}, testContext()), testContext())).inverse).toBeUndefined();
  });

  test('retries only failed items and repeats on the current selection', async () => {
    const failure = { code: 'command', message: message('core:error.silent'), retryable: false };
    const results = [
      { id: 'CCCC DDDD', label: 'South pump', failure },
      { id: 'EEEE FFFF', label: 'Well 7' },
    ];
    expect(retryInvocation(tune, { ...(await runTune()), outcome: { results } })?.args['gadgets']).toEqual({
      ids: ['CCCC DDDD'],
    });
    expect(retryInvocation(tune, await runTune())).toBeUndefined();
    expect(retryInvocation(reset, { ...(await runTune()), outcome: { results } })).toBeUndefined();
    const last = { id: tune.id, args: { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' } };
    expect(repeatInvocation(tune, last, selectedContext).args['gadgets']).toEqual({ query: 'state:ERROR' });
    const active = testContext({ focus: { entity: 'gadget', active: 'CCCC DDDD' } });
    expect(repeatInvocation(tune, last, active).args).toEqual({ gadgets: { ids: ['CCCC DDDD'] }, mode: 'INSTALLED' });
    expect(repeatInvocation(tune, last, testContext())).toBe(last);
  });

  test('has no inverse if nothing succeeded', async () => {
    const failure = { code: 'command', message: message('core:error.silent'), retryable: false };
    const outcomes = [
      [{ id: 'a', label: 'A', failure }],
      [
        { id: 'a', label: 'A', failure },
        { id: 'b', label: 'B' },
      ],
      undefined,
    ];
    const inverses = outcomes.map(async (results) => {
      const outcome = results ? { results } : {};
      const inverse = () => [{ id: 'gadget.reset', args: {} }];
      const attempt = command({
        id: 'gadget.try',
        effect: 'write',
        plan: simplePlan,
        run: async () => outcome,
        inverse,
      });
      return (await run(await prepare(attempt, {}, testContext()), testContext())).inverse?.length;
    });
    expect(await Promise.all(inverses)).toEqual([undefined, 1, 1]);
  });

  test('does not repeat on the selection of another list', () => {
    const last = { id: tune.id, args: { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' } };
    const onWidgets = testContext({ focus: { entity: 'widget', target: { query: 'state:ERROR' } } });
    expect(repeatInvocation(tune, last, onWidgets)).toBe(last);
    const invocation = { id: reset.id, args: {} };
    expect(repeatInvocation(reset, invocation, selectedContext)).toBe(invocation);
  });

  test('resumes with the items that a canceled run skipped', async () => {
    const results = [
      { id: 'CCCC DDDD', label: 'South pump' },
      { id: 'EEEE FFFF', label: 'Well 7', skipped: true },
    ];
    expect(resumeInvocation(tune, { ...(await runTune()), outcome: { results } })?.args).toEqual({
      ...(await runTune()).invocation.args,
      gadgets: { ids: ['EEEE FFFF'] },
    });
    expect(resumeInvocation(tune, await runTune())).toBeUndefined();
  });

  test('reports that nothing changed only if nothing failed', async () => {
    const failure = { code: 'command', message: message('core:error.silent'), retryable: false };
    const messageOf = async (results: Outcome['results'], text = 'common:done.nothing') => {
      const outcome = { message: message(text), ...(results ? { results } : {}) };
      const attempt = command({ id: 'gadget.try', effect: 'write', plan: simplePlan, run: async () => outcome });
      return (await run(await prepare(attempt, {}, testContext()), testContext())).outcome.message;
    };
    const [item, skipped] = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B', skipped: true },
    ];
    expect(await messageOf([])).toEqual(message('common:done.nothing'));
    expect(await messageOf(undefined)).toEqual(message('common:done.nothing'));
    expect(await messageOf([{ ...item, failure }, skipped])).toEqual(message('common:done.failed', { count: 1 }));
    const unanswered = { ...item, failure: { ...failure, code: 'unavailable' } };
    expect(await messageOf([unanswered, { ...item, failure }])).toEqual(
      message('common:done.unanswered', { count: 1 }),
    );
    const partlyChangedItem = { ...item, failure: { ...failure, partly: true as const } };
    expect(await messageOf([partlyChangedItem])).toEqual(message('common:done.partly', { count: 1 }));
    expect(await messageOf([partlyChangedItem, unanswered])).toEqual(message('common:done.unanswered', { count: 2 }));
    expect(await messageOf([skipped])).toEqual(message('common:done.canceled'));
    expect(await messageOf([{ ...item, failure }], 'gadget:done')).toEqual(message('gadget:done'));
  });

  test("keeps the plan's summary and the changes of successful items", async () => {
    const { summary, changes, harmless } = await runTune();
    expect([summary?.key, changes?.map(({ id }) => id), harmless]).toEqual([
      'gadget:tune',
      ['CCCC DDDD', 'EEEE FFFF'],
      undefined,
    ]);
    const harmlessCommand = command({
      id: 'gadget.blink',
      effect: 'write',
      plan: async () => ({ ...(await simplePlan()), harmless: true }),
      run: async () => ({}),
    });
    expect((await run(await prepare(harmlessCommand, {}, testContext()), testContext())).harmless).toBe(true);
  });

  const [first, second] = ['CCCC DDDD', 'EEEE FFFF'].map((id) => ({ id, label: id }));
  const rejectedItem = { ...second!, failure: { code: 'command', message: note, retryable: false } } as const;
  const failedItem = { ...second!, failure: { code: 'unavailable', message: note, retryable: true } } as const;
  const skippedItem = { ...second!, skipped: true };
  const result = message('gadget:done');
  const planSummary = message('gadget:plan');
  test.each<[string, Outcome, Message, readonly string[]]>([
    ['everything succeeded', { results: [first!, second!], message: result }, planSummary, [first!.id, second!.id]],
    ['the outcome has no results per item', { message: result }, planSummary, [first!.id, second!.id]],
    ['an item was rejected', { results: [first!, rejectedItem], message: result }, result, [first!.id]],
    ['an item was skipped', { results: [first!, skippedItem], message: result }, result, [first!.id]],
    [
      'a response was lost',
      { results: [first!, failedItem], message: result },
      message('common:done.andMaybe', { result, count: 1 }),
      [first!.id, second!.id],
    ],
    [
      'an item was rejected and the outcome has no message',
      { results: [first!, rejectedItem] },
      planSummary,
      [first!.id],
    ],
    ['the only item was rejected', { results: [rejectedItem], message: result }, planSummary, []],
  ])('summarizes the outcome and keeps the changes that may have been made if %s', async (...row) => {
    const [, outcome, summary, changedIds] = row;
    const changes = [first!, second!].map((item): Change => ({ ...item, field: message('gadget:mode') }));
    const part = command({
      id: 'gadget.part',
      effect: 'write',
      plan: async () => ({ ...(await simplePlan()), changes }),
      run: async () => outcome,
    });
    const { summary: resultSummary, changes: recorded } = await run(
      await prepare(part, {}, testContext()),
      testContext(),
    );
    expect([resultSummary, recorded?.map(({ id }) => id)]).toEqual([summary, changedIds]);
  });
});
