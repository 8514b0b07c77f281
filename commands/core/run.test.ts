import { describe, expect, test } from 'vitest';

import { testContext } from '../testing/context.ts';
import { gadget, reset, tune } from '../testing/gadget.ts';
import { command } from './command.ts';
import { fileValue } from './files.ts';
import { EMPTY, lastInvocation, markUndone, remember, undoable } from './history.ts';
import type { Args } from './invocation.ts';
import { ASK } from './kinds.ts';
import { message } from './message.ts';
import { p } from './params.ts';
import { prepare, repeatOf, retryOf, run, type Done } from './run.ts';

const selected = testContext({ focus: { entity: 'gadget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' } });
const key = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { said?: { key: string } }) => error.said?.key,
  );

describe('preparing', () => {
  test('fills the target with the selection, else with the active row, and keeps what it was', async () => {
    const many = await prepare(tune, { mode: 'INSTALLED' }, selected);
    expect(many.given['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(many.plan?.changes.map(({ id }) => id)).toEqual(['CCCC DDDD', 'EEEE FFFF']);
    const active = testContext({ focus: { entity: 'gadget', active: 'AAAA BBBB' } });
    expect((await prepare(tune, { mode: 'INSTALLED' }, active)).given['gadgets']).toEqual({ ids: ['AAAA BBBB'] });
  });

  test('asks for a look at many items or at what has no way back, not at one that has', async () => {
    const confirm = async (ids: string[]) =>
      (await prepare(tune, { gadgets: { ids }, mode: 'INSTALLED' }, testContext())).confirm;
    expect([await confirm(['AAAA BBBB']), await confirm(['AAAA BBBB', 'CCCC DDDD'])]).toEqual([false, true]);
    const plan = { summary: message('gadget:tune'), count: 1, changes: [], reversible: false };
    const burn = command({ id: 'gadget.burn', effect: 'destructive', plan: async () => plan, run: async () => ({}) });
    expect((await prepare(burn, {}, testContext())).confirm).toBe(true);
  });

  test('finds the selection that was asked for by name', async () => {
    const { given } = await prepare(tune, { gadgets: { selection: true }, mode: 'INSTALLED' }, selected);
    expect(given['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(await key(prepare(tune, { gadgets: { selection: true }, mode: 'INSTALLED' }, testContext()))).toBe(
      'core:selection.none',
    );
    expect(await key(prepare(tune, { mode: 'INSTALLED' }, testContext()))).toBe('core:validation.required');
  });

  test('leaves a target that is named alone, whatever is selected', async () => {
    const given = { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' };
    expect((await prepare(tune, given, selected)).given).toBe(given);
    expect((await prepare(reset, {}, selected)).given).toEqual({});
  });

  test('takes nothing from the selection of another list', async () => {
    const elsewhere = testContext({
      focus: { entity: 'widget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' },
    });
    expect(await key(prepare(tune, { mode: 'INSTALLED' }, elsewhere))).toBe('core:validation.required');
  });

  test('refuses what cannot be, saying why', async () => {
    const nobody = testContext({ actor: { ...testContext().actor, abilities: new Set() } });
    expect(await key(prepare(tune, { gadgets: { query: '' }, mode: 'INSTALLED' }, nobody))).toBe(
      'core:unavailable.ability',
    );
    const refused = (args: object) =>
      key(prepare(tune, { gadgets: { query: '' }, mode: 'INSTALLED', ...args }, testContext()));
    expect(await refused({ mode: undefined })).toBe('core:validation.required');
    expect(await refused({ mode: 'OFF' })).toBe('core:validation.option');
    expect(await refused({ gadgets: { ids: ['1234 5678'] } })).toBe('core:lookup.missing');
    expect(await refused({ gadgets: { query: 'state:NOT_SEEN' } })).toBe('core:lookup.empty');
    expect(await refused({ gadgets: { selection: true } })).toBe('core:selection.none');
    expect(await refused({ parent: 'pump' })).toBe('core:lookup.near');
    expect(await refused({ parent: 'Nessie' })).toBe('core:lookup.none');
    expect(await refused({ password: ASK })).toBe('core:line.unasked');
  });
});

test('cancelling never aborts a call of a write, only what changes nothing', async () => {
  const effects = ['write', 'destructive', 'read', 'navigate'] as const;
  const seen = effects.map(async (effect) => {
    const controller = new AbortController();
    const aborted: boolean[] = [];
    const stops = command({
      id: 'gadget.stops',
      effect,
      run: async ({ signal, stop }) => {
        controller.abort();
        aborted.push(signal.aborted, stop.aborted);
        return {};
      },
    });
    const context = testContext({ signal: controller.signal });
    await run({ command: stops, given: {}, resolved: {}, plan: undefined, confirm: false }, context);
    return aborted;
  });
  expect(await Promise.all(seen)).toEqual([
    [false, true],
    [false, true],
    [true, true],
    [true, true],
  ]);
});

describe('what was run', () => {
  const args = { gadgets: { query: 'state:ERROR' }, mode: 'INSTALLED', password: 'hunter2' };
  const done = async (): Promise<Done> => run(await prepare(tune, args, testContext()), testContext());

  test('is kept with its way back, without its secrets', async () => {
    const { invocation, inverse } = await done();
    expect(invocation.args).toEqual({ ...args, password: ASK });
    expect(inverse).toEqual([{ id: 'gadget.tune', args: { gadgets: args.gadgets, mode: 'INSTALLED' } }]);
  });

  test('keeps files by name and no hidden value; what hides nothing stays', async () => {
    const keep = command({
      id: 'gadget.keep',
      effect: 'write',
      params: {
        header: p.pairs({ hidden: true }),
        shown: p.pairs(),
        picture: p.file({ accept: ['image/png'], maxBytes: 1024 }),
        password: p.secret({ clears: true }),
        label: p.text(),
      },
      run: async () => ({}),
    });
    const kept = async (given: Args) =>
      (await run({ command: keep, given, resolved: {}, plan: undefined, confirm: false }, testContext())).invocation;
    const picture = fileValue({ name: 'logo.png', mediaType: 'image/png', bytes: new Uint8Array([1, 2]) });
    const pairs = { 'X-Key': 'hunter2', 'X-Blank': '' };
    expect(await kept({ header: pairs, shown: pairs, picture, password: 'hunter2', label: 'x' })).toEqual({
      id: 'gadget.keep',
      args: {
        header: { 'X-Key': ASK, 'X-Blank': '' },
        shown: pairs,
        picture: '@logo.png',
        password: ASK,
        label: 'x',
      },
    });
    const blank = { header: undefined, picture: undefined, password: undefined };
    expect((await kept(blank)).args).toStrictEqual(blank);
    expect((await kept({ password: '' })).args).toEqual({ password: '' });
    // An argument that an older release knew.
    expect((await kept({ gone: 'x' })).args).toEqual({ gone: 'x' });
  });

  test('has no way back when the command names none', async () => {
    const inverse = () => [];
    const done = command({ id: 'gadget.done', effect: 'write', run: async () => ({}), inverse });
    expect((await run(await prepare(done, {}, testContext()), testContext())).inverse).toBeUndefined();
  });

  test('is tried again for what failed only, and repeated on what is selected now', async () => {
    const failure = { code: 'command', message: message('core:error.silent'), retryable: false };
    const results = [
      { id: 'CCCC DDDD', label: 'South pump', failure },
      { id: 'EEEE FFFF', label: 'Well 7' },
    ];
    expect(retryOf(tune, { ...(await done()), outcome: { results } })?.args['gadgets']).toEqual({ ids: ['CCCC DDDD'] });
    expect(retryOf(tune, await done())).toBeUndefined();
    expect(retryOf(reset, { ...(await done()), outcome: { results } })).toBeUndefined();
    const last = { id: tune.id, args: { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' } };
    expect(repeatOf(tune, last, selected).args['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(repeatOf(tune, last, testContext())).toBe(last);
  });

  test('has no way back when nothing succeeded', async () => {
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
      const try_ = command({ id: 'gadget.try', effect: 'write', run: async () => outcome, inverse });
      return (await run(await prepare(try_, {}, testContext()), testContext())).inverse?.length;
    });
    expect(await Promise.all(inverses)).toEqual([undefined, 1, 1]);
  });

  test('is not repeated on the selection of another list', () => {
    const last = { id: tune.id, args: { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' } };
    const elsewhere = testContext({ focus: { entity: 'widget', target: { query: 'state:ERROR' } } });
    expect(repeatOf(tune, last, elsewhere)).toBe(last);
    // A row that is merely active is not what the command was run on.
    expect(repeatOf(tune, last, testContext({ focus: { entity: 'gadget', active: 'CCCC DDDD' } }))).toBe(last);
    const plain = { id: reset.id, args: {} };
    expect(repeatOf(reset, plain, selected)).toBe(plain);
  });

  test('is forgotten when a hundred newer ones were run', async () => {
    const one = await done();
    let history = remember(EMPTY, { ...one, organization: 'first' });
    for (let at = 0; at < 99; at++) history = remember(history, one);
    expect(lastInvocation(history, 'first')).toBeDefined();
    expect(lastInvocation(remember(history, one), 'first')).toBeUndefined();
    expect(lastInvocation(remember(history, { ...one, organization: 'last' }), 'last')).toBeDefined();
  });

  test('is undone once, in its own organization', async () => {
    const history = remember(EMPTY, await done());
    const entry = undoable(history, 'northwind');
    expect([entry?.undone, undoable(history, 'acme')]).toEqual([false, undefined]);
    const after = markUndone(history, entry!);
    expect(undoable(after, 'northwind')).toBeUndefined();
    expect(lastInvocation(after, 'northwind')?.id).toBe(gadget.name + '.tune');
  });

  test('is undone one by one, the newest first, past what has no way back', async () => {
    const one = await done();
    const final = { ...one, inverse: undefined };
    const history = [one, one, final].reduce(remember, EMPTY);
    const newest = undoable(history, 'northwind');
    expect(history.entries.indexOf(newest!)).toBe(1);
    const after = markUndone(history, newest!);
    expect(after.entries.map(({ undone }) => undone)).toEqual([false, true, false]);
    expect(undoable(after, 'northwind')).toBe(history.entries[0]);
  });
});
