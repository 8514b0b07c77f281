import { expect, test, vi } from 'vitest';

import { PartlyDoneError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { createAction, type CreateSpec } from './create-action.ts';

const params = { name: required(p.text()), maker: p.text() };
type Call = CreateSpec<typeof params>['call'];
const call = vi.fn<Call>(async () => ({ id: '7', label: 'Pump' }));

const create = createAction({
  entity: gadget,
  requires: [],
  keys: ['c g'],
  params,
  positional: ['name'],
  nameOf: ({ name }) => name.trim(),
  values: ({ maker = 'nobody' }) => ({ maker }),
  notes: (_context, { maker }) => (maker ? [message('gadget:plan.maker')] : []),
  call,
  undo: { verb: 'delete' },
  reversible: ({ organization }) => organization.id !== 'sealed',
  changed: ['part'],
});

const context = testContext();
const prepareRun = (args: object = {}, runContext = context) =>
  prepare(create, { name: ' Pump ', ...args }, runContext);

test('plans one new item, with its name and notes', async () => {
  expect([create.id, create.keys, create.effect]).toEqual(['gadget.create', ['c g'], 'write']);
  const { plan } = await prepareRun({ maker: 'Acme' });
  expect(plan).toMatchObject({
    summary: { key: 'gadget:plan.create', values: { name: 'Pump', maker: 'Acme' } },
    count: 1,
    changes: [],
    notes: [{ key: 'gadget:plan.maker' }],
    reversible: true,
  });
  expect(call).not.toHaveBeenCalled();
});

test('plans an irreversible creation if the caller may not delete the item', async () => {
  const sealedContext = { ...context, organization: { ...context.organization, id: 'sealed' } };
  expect((await prepareRun({}, sealedContext)).plan?.reversible).toBe(false);
});

test('reports the new item and deletes it on undo', async () => {
  const { outcome, inverse } = await run(await prepareRun(), context);
  expect(outcome).toMatchObject({
    changed: ['gadget', 'part'],
    results: [{ id: '7', label: 'Pump' }],
    message: { key: 'gadget:done.create', values: { id: '7', name: 'Pump', maker: 'nobody' } },
    data: { id: '7' },
  });
  expect(inverse).toEqual([{ id: 'gadget.delete', args: { gadgets: { ids: ['7'] } } }]);
  expect(call.mock.lastCall?.[0].organization).toBe(context.organization.id);
});

test('reports the message, data, and secret of the call instead of the defaults', async () => {
  const reveal = { label: message('gadget:secret'), value: 'hush' };
  const reported = { message: message('gadget:done.invited'), data: { id: '' }, reveal };
  call.mockResolvedValueOnce({ id: '7', label: 'Pump', ...reported });
  const { outcome } = await run(await prepareRun(), context);
  expect(outcome).toMatchObject({ results: [{ id: '7' }], ...reported });
});

test('has nothing to undo if the server does not report the item', async () => {
  call.mockResolvedValueOnce(undefined);
  const { outcome, inverse } = await run(await prepareRun(), context);
  expect(outcome.results).toBeUndefined();
  expect(outcome.message?.key).toBe('gadget:done.create');
  expect(inverse ?? []).toEqual([]);
});

test('deletes an incomplete item on undo', async () => {
  call.mockRejectedValueOnce(new PartlyDoneError(new Error('full'), { id: '8', label: 'Pump' }));
  const { inverse } = await run(await prepareRun(), context);
  expect(inverse).toEqual([{ id: 'gadget.delete', args: { gadgets: { ids: ['8'] } } }]);
});
