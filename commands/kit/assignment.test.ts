import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { planOutline } from '#commands/run/outline.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { assignment } from './assignment.ts';

interface Crew {
  readonly id: string;
  readonly name: string;
}

const crews: readonly Crew[] = [
  { id: '1', name: 'Day shift' },
  { id: '2', name: 'Night shift' },
];

const crew: Entity<Crew> = entity({
  name: 'crew',
  plural: 'crews',
  requires: 'VIEW_DEVICES',
  id: ({ id }) => id,
  label: ({ name }) => name,
  json: (item) => item,
  isId: (text) => /^#\d+$/.test(text),
  toId: (text) => text.slice(1),
  list: async () => ({ items: [...crews], total: crews.length }),
  byIds: async (_context, ids) => crews.filter(({ id }) => ids.includes(id)),
  find: async (_context, text) => crews.filter(({ id, name }) => text === `#${id}` || text === name),
  search: async () => [],
  emptySelection: () => ({}),
  filter: {},
  sorts: [],
  groups: [],
  columns: [],
});

const send = vi.fn<(verb: string, ids: readonly string[], crewId: string) => void>();
const createCrew = vi.fn<(name: string) => void>();
const deleteCrew = vi.fn<(id: string) => void>();

const spec: Parameters<typeof assignment<(typeof gadgets)[number], Crew>>[0] = {
  target: gadget,
  entity: crew,
  requires: [],
  field: message('gadget:crew'),
  isAssigned: ({ state }, { id }) => (state === 'OK' ? '1' : '2') === id,
  term: (crewId) => (crewId === '1' ? 'state:OK' : 'state:ERROR'),
  argFor: (crewId) => `#${crewId}`,
  assign: { keys: ['v'], call: async (_context, items, id) => send('assign', items.map(gadget.id), id) },
  unassign: { call: async (_context, items, id) => send('unassign', items.map(gadget.id), id) },
};
const { assign, unassign } = assignment(spec);
const create: (typeof spec)['create'] = {
  maxLength: 10,
  call: async (_context, name) => {
    createCrew(name);
    return '3';
  },
  remove: async (_context, id) => deleteCrew(id),
};
const withCreate = assignment({ ...spec, create });

const allGadgets = { gadgets: { ids: gadgets.map(({ id }) => id) } };
const context: Context = testContext();
const execute = async (command: typeof assign, args: Parameters<typeof prepare>[1]) =>
  run(await prepare(command, args, context), context);

beforeEach(() => {
  send.mockReset();
  createCrew.mockReset();
  deleteCrew.mockReset();
});

describe('an assignment', () => {
  test('plans, changes, and undoes only the items that do not have it yet', async () => {
    const { plan } = await prepare(assign, { ...allGadgets, crew: 'Night shift' }, context);
    expect(plan).toMatchObject({
      summary: { key: 'crew:plan.assign', values: { crew: 'Night shift', items: { values: { count: 1 } } } },
      changes: [{ id: 'AAAA BBBB', field: { key: 'gadget:crew' }, added: ['Night shift'] }],
      notes: [{ key: 'common:plan.same', values: { count: 2 } }],
      reversible: true,
    });
    const completedRun = await execute(assign, { ...allGadgets, crew: 'Night shift' });
    expect(send.mock.calls).toEqual([['assign', ['AAAA BBBB'], '2']]);
    expect(completedRun.outcome).toMatchObject({
      changed: ['gadget', 'crew'],
      message: { key: 'crew:done.assigned', values: { crew: 'Night shift', items: { values: { count: 1 } } } },
    });
    expect(completedRun.inverse).toEqual([
      { id: 'crew.unassign', args: { gadgets: { ids: ['AAAA BBBB'] }, crew: '#2' } },
    ]);
  });

  test('is removed from items that have it', async () => {
    const { plan } = await prepare(unassign, { ...allGadgets, crew: '#2' }, context);
    expect(plan).toMatchObject({
      summary: { key: 'crew:plan.unassign' },
      changes: [
        { id: 'CCCC DDDD', removed: ['Night shift'] },
        { id: 'EEEE FFFF', removed: ['Night shift'] },
      ],
      notes: [{ key: 'crew:plan.without', values: { count: 1 } }],
    });
    const completedRun = await execute(unassign, { ...allGadgets, crew: '#2' });
    expect(send.mock.calls).toEqual([['unassign', ['CCCC DDDD', 'EEEE FFFF'], '2']]);
    expect(completedRun.outcome.message?.key).toBe('crew:done.unassigned');
    expect(completedRun.inverse).toEqual([
      { id: 'crew.assign', args: { gadgets: { ids: ['CCCC DDDD', 'EEEE FFFF'] }, crew: '#2' } },
    ]);
  });

  test('reports that there is nothing to change and offers no undo', async () => {
    const args = { gadgets: { ids: ['AAAA BBBB'] }, crew: 'Day shift' };
    const completedRun = await execute(assign, args);
    expect([completedRun.outcome.message?.key, completedRun.inverse, send.mock.calls]).toEqual([
      'common:done.nothing',
      undefined,
      [],
    ]);
  });

  test.each([
    ['assign', assign, 'Night shift', 1, [['common:plan.same', 2]]],
    ['assign', assign, 'Day shift', 2, [['common:plan.same', 1]]],
    ['unassign', unassign, 'Night shift', 2, [['crew:plan.without', 1]]],
    ['unassign', unassign, 'Day shift', 1, [['crew:plan.without', 2]]],
    ['assign', withCreate.assign, 'Night shift', 1, [['common:plan.same', 2]]],
    ['assign', withCreate.assign, 'Weekend', 3, [['crew:plan.creates', undefined]]],
  ])('counts how many items of a whole list it would %s', async (_verb, command, name, count, notes) => {
    const outline = await planOutline(command, { gadgets: { query: '' }, crew: name }, context);
    expect(outline).toMatchObject({ count, changes: [], changeCounts: [{ count, groups: [{ count }] }] });
    expect(outline?.notes?.map(({ key, values }) => [key, values?.['count']])).toEqual(notes);
  });

  test('omits the note about other items if all of them change', async () => {
    const outline = await planOutline(unassign, { gadgets: { query: 'state:OK' }, crew: 'Day shift' }, context);
    expect(outline).toMatchObject({ count: 1, notes: [] });
  });

  test('lists no changes for a whole list if nothing changes', async () => {
    const outline = await planOutline(assign, { gadgets: { query: 'state:OK' }, crew: 'Day shift' }, context);
    expect(outline).toMatchObject({ count: 0, notes: [{ key: 'common:plan.same', values: { count: 1 } }] });
    expect(outline).not.toHaveProperty('changeCounts');
  });

  test('does not plan from counts if the filter includes other organizations', async () => {
    const withBelow: typeof gadget = { ...gadget, filter: { ...gadget.filter, below: gadget.filter['tag']! } };
    const { assign: assignBelow } = assignment({ ...spec, target: withBelow });
    const outline = (query: string) => planOutline(assignBelow, { gadgets: { query }, crew: 'Day shift' }, context);
    expect([(await outline(''))?.count, await outline('below:*')]).toEqual([2, undefined]);
  });

  test('leaves out items that belong to other organizations', async () => {
    const acrossOrganizations = assignment({
      ...spec,
      organization: ({ name }) => (name === 'Well 7' ? 'northwind' : 'south'),
      create,
    });
    const { plan } = await prepare(acrossOrganizations.unassign, { ...allGadgets, crew: 'Night shift' }, context);
    expect(plan).toMatchObject({ changes: [{ id: 'EEEE FFFF' }] });
    expect(plan?.notes).toMatchObject([{ key: 'crew:plan.elsewhere', values: { count: 2 } }]);
    await execute(acrossOrganizations.unassign, { ...allGadgets, crew: 'Night shift' });
    expect(send.mock.calls).toEqual([['unassign', ['EEEE FFFF'], '2']]);
    const singleRun = await prepare(
      acrossOrganizations.assign,
      { gadgets: { ids: ['AAAA BBBB'] }, crew: 'Weekend' },
      context,
    );
    expect(singleRun.plan).toMatchObject({ count: 0, notes: [{ key: 'crew:plan.creates' }, { values: { count: 1 } }] });
    const { outcome } = await run(singleRun, context);
    expect([outcome.message?.key, createCrew.mock.calls]).toEqual(['common:done.nothing', []]);
  });

  test('declares every text that it shows, so tests can detect a missing translation', () => {
    const keysOf = ({ derivedMessages = [] }: typeof assign) => derivedMessages.map(({ key }) => key);
    expect(keysOf(assign)).toEqual(['crew:plan.assign', 'crew:done.assigned']);
    expect(keysOf(unassign)).toEqual(['crew:plan.unassign', 'crew:plan.without', 'crew:done.unassigned']);
    expect(keysOf(withCreate.assign)).toEqual([
      'crew:plan.assign',
      'crew:done.assigned',
      'crew:plan.creates',
      'crew:done.assignedNew',
      'crew:done.leftNew',
    ]);
  });

  test('accepts its items as a positional argument, and has only the declared keys', () => {
    expect([assign, unassign].map(({ positional, keys }) => [positional, keys])).toEqual([
      [['gadgets'], ['v']],
      [['gadgets'], undefined],
    ]);
  });

  test('rejects an unknown name unless the assignment may create the item', async () => {
    const args = { ...allGadgets, crew: 'Weekend' };
    await expect(prepare(assign, args, context)).rejects.toThrow(CommandError);
    await expect(prepare(withCreate.unassign, args, context)).rejects.toThrow(CommandError);
    await expect(
      prepare(withCreate.assign, { ...allGadgets, crew: 'Weekend and night' }, context),
    ).rejects.toMatchObject({
      userMessage: { key: 'core:validation.maxLength' },
    });
    const { plan } = await prepare(withCreate.assign, args, context);
    expect(plan).toMatchObject({ count: 3, notes: [{ key: 'crew:plan.creates', values: { crew: 'Weekend' } }] });
    expect(createCrew).not.toHaveBeenCalled();
    const completedRun = await execute(withCreate.assign, args);
    expect([createCrew.mock.calls, send.mock.calls[0]?.[2]]).toEqual([[['Weekend']], '3']);
    expect(completedRun.outcome.message?.key).toBe('crew:done.assignedNew');
    expect(completedRun.inverse).toMatchObject([{ id: 'crew.unassign', args: { crew: '#3' } }]);
    expect(deleteCrew).not.toHaveBeenCalled();
  });

  test.each([
    ['deletes a newly created item if every assignment was rejected', Code.PermissionDenied, [['3']]],
    ['keeps a newly created item that may have been assigned', Code.Unavailable, []],
  ])('%s', async (_case, code, deletions) => {
    send.mockImplementation(() => {
      throw new ConnectError('not now', code);
    });
    const completedRun = await execute(withCreate.assign, { ...allGadgets, crew: 'Weekend' });
    expect(deleteCrew.mock.calls).toEqual(deletions);
    expect(completedRun.outcome.message?.key).not.toMatch(/^crew:/);
  });

  test('never deletes an existing item, even if every assignment was rejected', async () => {
    send.mockImplementation(() => {
      throw new ConnectError('not now', Code.PermissionDenied);
    });
    await execute(withCreate.assign, { ...allGadgets, crew: 'Night shift' });
    expect(deleteCrew).not.toHaveBeenCalled();
  });

  test.each([
    ['reports an error that prevents it from deleting a newly created item', Code.Internal, 1],
    ["doesn't report it if the server rejects deleting a newly created item", Code.PermissionDenied, 0],
  ])('%s and informs the user that the item remains', async (_case, code, reports) => {
    send.mockImplementation(() => {
      throw new ConnectError('not now', Code.PermissionDenied);
    });
    deleteCrew.mockImplementation(() => {
      throw new ConnectError('not now', code);
    });
    const report = vi.fn<(error: unknown) => void>();
    const reportingContext = testContext({ host: { report } });
    const { outcome } = await run(
      await prepare(withCreate.assign, { ...allGadgets, crew: 'Weekend' }, reportingContext),
      reportingContext,
    );
    expect(outcome.message).toMatchObject({ key: 'crew:done.leftNew', values: { crew: 'Weekend' } });
    expect(report).toHaveBeenCalledTimes(reports);
  });
});
