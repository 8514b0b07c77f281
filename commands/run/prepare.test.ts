import { describe, expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, reset, simplePlan, tune, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { inQuotes } from '#commands/text/quotes.ts';

import { createNotFoundError } from './lookup.ts';
import { prepare } from './run.ts';

const selectedContext = testContext({
  focus: { entity: 'gadget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' },
});
const note = message('gadget:dries');
const elsewhereAll = message('common:plan.elsewhereAll', { count: 2, organization: 'North field' });
const inCurrentOrganization = gadget as Entity<Gadget>;
const inSubOrganization: Entity<Gadget> = {
  ...inCurrentOrganization,
  belongsTo: () => ({ id: 'north', name: 'North field' }),
};
const errorKey = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { userMessage?: { key: string } }) => error.userMessage?.key,
  );

describe('preparing', () => {
  test('defaults the target to the selection or else the active row', async () => {
    const many = await prepare(tune, { mode: 'INSTALLED' }, selectedContext);
    expect(many.args['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(many.plan?.changes.map(({ id }) => id)).toEqual(['CCCC DDDD', 'EEEE FFFF']);
    const active = testContext({ focus: { entity: 'gadget', active: 'AAAA BBBB' } });
    expect((await prepare(tune, { mode: 'INSTALLED' }, active)).args['gadgets']).toEqual({ ids: ['AAAA BBBB'] });
  });

  test('requires confirmation for several items or an irreversible change', async () => {
    const confirm = async (ids: string[]) =>
      (await prepare(tune, { gadgets: { ids }, mode: 'INSTALLED' }, testContext())).confirm;
    expect([await confirm(['AAAA BBBB']), await confirm(['AAAA BBBB', 'CCCC DDDD'])]).toEqual([false, true]);
    const plan = { summary: message('gadget:tune'), count: 1, changes: [], reversible: false };
    const burn = (more: object) =>
      command({
        id: 'gadget.burn',
        effect: 'destructive',
        plan: async () => ({ ...plan, ...more }),
        run: async () => ({}),
      });
    const requiresConfirmation = async (more: object) => (await prepare(burn(more), {}, testContext())).confirm;
    expect([
      await requiresConfirmation({}),
      await requiresConfirmation({ harmless: true }),
      await requiresConfirmation({ harmless: true, count: 2 }),
    ]).toEqual([true, false, true]);
  });

  test('marks a plan that affects only the caller as personal', async () => {
    const createCommand = (more: object) =>
      command({ id: 'gadget.mine', effect: 'write', plan: simplePlan, run: async () => ({}), ...more });
    const plans = [
      createCommand({}),
      createCommand({ affectsOnlyCaller: true }),
      createCommand({ requires: 'UPDATE_SELF' }),
    ].map(async (command) => (await prepare(command, {}, testContext())).plan?.personal);
    expect(await Promise.all(plans)).toEqual([undefined, true, true]);
  });

  test('resolves an explicit `@selection` and fails if nothing is selected', async () => {
    const { args } = await prepare(tune, { gadgets: { selection: true }, mode: 'INSTALLED' }, selectedContext);
    expect(args['gadgets']).toEqual({ query: 'state:ERROR' });
    expect(await errorKey(prepare(tune, { gadgets: { selection: true }, mode: 'INSTALLED' }, testContext()))).toBe(
      'core:selection.none',
    );
    expect(await errorKey(prepare(tune, { mode: 'INSTALLED' }, testContext()))).toBe('core:validation.required');
  });

  test('keeps an explicit target when other items are selected', async () => {
    const args = { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' };
    expect((await prepare(tune, args, selectedContext)).args).toBe(args);
    expect((await prepare(reset, {}, selectedContext)).args).toEqual({});
  });

  test('selects each item with one of the given names once', async () => {
    const args = { gadgets: { named: 'Well 7, AAAA BBBB,#EEEE FFFF,"North pump"' }, mode: 'INSTALLED' };
    const { resolved, plan } = await prepare(tune, args, testContext());
    expect(resolved['gadgets']).toMatchObject({ ids: ['EEEE FFFF', 'AAAA BBBB'] });
    expect(plan?.changes.map(({ label }) => label)).toEqual(['Well 7', 'North pump']);
  });

  test('reads a name with commas as one item if it exists, and otherwise as several items', async () => {
    gadgets.push({ id: 'ABCD 0000', name: 'Well 7, North pump', state: 'OK' });
    const targetIds = async (named: string) =>
      (await prepare(tune, { gadgets: { named }, mode: 'INSTALLED' }, testContext())).plan?.changes.map(({ id }) => id);
    try {
      expect(await targetIds('Well 7, North pump')).toEqual(['ABCD 0000']);
      expect(await targetIds('Well 7,North pump')).toEqual(['EEEE FFFF', 'AAAA BBBB']);
      expect(await targetIds('"Well 7, North pump",Well 7')).toEqual(['ABCD 0000', 'EEEE FFFF']);
    } finally {
      gadgets.pop();
    }
  });

  test('ignores the selection of another list', async () => {
    const onWidgets = testContext({
      focus: { entity: 'widget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' },
    });
    expect(await errorKey(prepare(tune, { mode: 'INSTALLED' }, onWidgets))).toBe('core:validation.required');
  });

  test.each<[string, Entity<Gadget>, Partial<Plan>, Plan['notes']]>([
    ['has no notes if all items are in the current organization', inCurrentOrganization, {}, undefined],
    ['keeps its notes if all items are in the current organization', inCurrentOrganization, { notes: [note] }, [note]],
    ['notes items of other organizations', inSubOrganization, {}, [elsewhereAll]],
    [
      'notes items of other organizations after its own notes',
      inSubOrganization,
      { notes: [note] },
      [note, elsewhereAll],
    ],
  ])('makes a plan that %s', async (_, entity, more, notes) => {
    const move = command({
      id: 'gadget.move',
      effect: 'write',
      params: { gadgets: p.many(() => entity) },
      plan: async () => ({ ...(await simplePlan()), ...more }),
      run: async () => ({}),
    });
    const { plan } = await prepare(move, { gadgets: { query: 'state:ERROR' } }, testContext());
    expect([plan?.notes, Object.hasOwn(plan!, 'notes')]).toEqual([notes, notes !== undefined]);
  });

  test('makes no plan for a read command and requires no confirmation', async () => {
    const params = { gadgets: p.many(() => gadget) };
    const show = command({ id: 'gadget.show', effect: 'read', params, run: async () => ({}) });
    const prepared = await prepare(show, { gadgets: { query: '' } }, testContext());
    expect([prepared.plan, prepared.confirm]).toEqual([undefined, false]);
  });

  test('rejects invalid arguments with the reason', async () => {
    const contextWithoutAbilities = testContext({ actor: { ...testContext().actor, abilities: new Set() } });
    expect(await errorKey(prepare(tune, { gadgets: { query: '' }, mode: 'INSTALLED' }, contextWithoutAbilities))).toBe(
      'core:unavailable.ability',
    );
    const rejectionKey = (args: object) =>
      errorKey(prepare(tune, { gadgets: { query: '' }, mode: 'INSTALLED', ...args }, testContext()));
    expect(await rejectionKey({ mode: undefined })).toBe('core:validation.required');
    expect(await rejectionKey({ mode: 'OFF' })).toBe('core:validation.option');
    expect(await rejectionKey({ gadgets: { ids: ['1234 5678'] } })).toBe('running:lookup.missing');
    expect(await rejectionKey({ gadgets: { query: 'state:NOT_SEEN' } })).toBe('running:lookup.empty');
    expect(await rejectionKey({ gadgets: { selection: true } })).toBe('core:selection.none');
    expect(await rejectionKey({ gadgets: { named: 'pump' } })).toBe('running:lookup.nearOrSearch');
    expect(await rejectionKey({ gadgets: { named: 'North pump,Wel 7' } })).toBe('running:lookup.near');
    expect(await rejectionKey({ gadgets: { named: 'Nessie' } })).toBe('running:lookup.none');
    expect(await rejectionKey({ parent: 'pump' })).toBe('running:lookup.near');
    expect(await rejectionKey({ parent: 'Nessie' })).toBe('running:lookup.none');
    expect(await rejectionKey({ password: ASK })).toBe('running:line.unasked');
  });
});

test('rejects arguments after the first page of a large target', async () => {
  const pages: number[] = [];
  const fleet: typeof gadget = {
    ...gadget,
    list: async (_context, _compiled, { page, size }) => {
      pages.push(page);
      const items = Array.from({ length: size }, (_, index) => ({ ...gadgets[0]!, id: `${page}-${index}` }));
      return { items, total: 100 * size };
    },
  };
  const rename = command({
    id: 'gadget.rename',
    effect: 'write',
    params: { gadgets: required(p.many(() => fleet)), name: required(p.text()), parent: p.ref(() => gadget) },
    problems: (_context, args) => (args.gadgets.items.length > 1 ? { name: message('gadget:one') } : {}),
    plan: simplePlan,
    run: async () => ({}),
  });
  const args: Args = { gadgets: { query: '*' }, name: 'Pump' };
  expect(await errorKey(prepare(rename, args, testContext()))).toBe('gadget:one');
  expect(pages).toEqual([0]);
  expect(await errorKey(prepare(rename, { ...args, parent: 'Nessie' }, testContext()))).toBe('running:lookup.none');
  expect(await errorKey(prepare(rename, { ...args, name: 'x\ny' }, testContext()))).toMatch(/^core:validation/);
  expect(pages).toEqual([0]);
});

test('suggests names that start like a misspelled name', async () => {
  const names = [...Array.from({ length: 1200 }, (_, index) => `Annulus ${index}`), 'Casing pressure, Curlew 7'];
  const searches: string[] = [];
  const fleet: typeof gadget = {
    ...gadget,
    find: async () => [],
    search: async (_context, text, limit) => {
      searches.push(text);
      const words = text.toLowerCase().split(' ');
      return names
        .filter((name) => words.every((word) => name.toLowerCase().includes(word)))
        .slice(0, limit)
        .map((name) => ({ id: name, name, state: 'OK' as const }));
    },
  };
  const candidates = async (name: string) => {
    searches.length = 0;
    const { userMessage } = await createNotFoundError(fleet, name, testContext());
    return [userMessage.key, userMessage.values?.['candidates'], searches.length];
  };
  expect(await candidates('Curlw 7')).toEqual(['running:lookup.near', inQuotes('Casing pressure, Curlew 7'), 2]);
  // The first letters are wrong, but the search for the second word finds the name.
  expect(await candidates('Xasing presure')).toEqual(['running:lookup.near', inQuotes('Casing pressure, Curlew 7'), 4]);
  expect(await candidates('Nessie')).toEqual(['running:lookup.none', '', 3]);
});
