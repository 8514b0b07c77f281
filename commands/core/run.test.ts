import { describe, expect, test } from 'vitest';

import { testContext } from '../testing/context.ts';
import { gadget, tune } from '../testing/gadget.ts';
import { command } from './command.ts';
import { EMPTY, lastInvocation, markUndone, remember, undoable } from './history.ts';
import { ASK } from './kinds.ts';
import { message } from './message.ts';
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

describe('what was run', () => {
  const args = { gadgets: { query: 'state:ERROR' }, mode: 'INSTALLED', password: 'hunter2' };
  const done = async (): Promise<Done> => run(await prepare(tune, args, testContext()), testContext());

  test('is kept with its way back, without its secrets', async () => {
    const { invocation, inverse } = await done();
    expect(invocation.args).toEqual({ ...args, password: ASK });
    expect(inverse).toEqual([{ id: 'gadget.tune', args: { gadgets: args.gadgets, mode: 'INSTALLED' } }]);
  });

  test('is tried again for what failed only, and repeated on what is selected now', async () => {
    const failure = { code: 'command', message: message('core:error.silent'), retryable: false };
    const results = [
      { id: 'CCCC DDDD', label: 'South pump', failure },
      { id: 'EEEE FFFF', label: 'Well 7' },
    ];
    expect(retryOf(tune, { ...(await done()), outcome: { results } })?.args['gadgets']).toEqual({ ids: ['CCCC DDDD'] });
    expect(retryOf(tune, await done())).toBeUndefined();
    const last = { id: tune.id, args: { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' } };
    expect(repeatOf(tune, last, selected).args['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(repeatOf(tune, last, testContext())).toBe(last);
  });

  test('is undone once, in its own organization', async () => {
    const history = remember(EMPTY, await done());
    const entry = undoable(history, 'northwind');
    expect([entry?.undone, undoable(history, 'acme')]).toEqual([false, undefined]);
    const after = markUndone(history, entry!);
    expect(undoable(after, 'northwind')).toBeUndefined();
    expect(lastInvocation(after, 'northwind')?.id).toBe(gadget.name + '.tune');
  });
});
