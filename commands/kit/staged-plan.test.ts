import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { p } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { prepare, resumeInvocation, run } from '#commands/run/run.ts';
import { STAGED_ITEMS } from '#commands/run/stages.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { bulkAction, type SendOptions } from './bulk-action.ts';
import { editCommand, type EditInput } from './edit-command.ts';

const call = vi.fn<SendOptions<Gadget, EditInput>['call']>();
const countItems = async () => new Map([['OK', 20_000]]);
const setState = editCommand<Gadget>({
  entity: gadget,
  verb: 'edit',
  target: 'gadgets',
  fields: { state: { param: p.choice(['OK', 'WARNING', 'ERROR']), current: ({ state }) => state } },
  requires: [],
  changed: ['gadget'],
  count: countItems,
  call,
});
const paint = bulkAction({ entity: gadget, verb: 'paint', requires: [], undo: 'strip', call: async () => undefined });

const originals = [...gadgets];
const fleet = Array.from({ length: STAGED_ITEMS }, (_, index): Gadget => {
  const digits = index.toString(16).toUpperCase().padStart(8, '0');
  return { id: `${digits.slice(0, 4)} ${digits.slice(4)}`, name: `Pump ${index}`, state: 'OK' };
});
const ids = (count: number) => ({ gadgets: { ids: fleet.slice(0, count).map(({ id }) => id) } });

beforeEach(() => {
  gadgets.splice(0, Infinity, ...fleet);
  call.mockReset();
  call.mockResolvedValue(undefined);
});
afterEach(() => void gadgets.splice(0, Infinity, ...originals));

test('a plan is staged if the command changes at least 2,000 items', async () => {
  const isStaged = async (count: number) => {
    const plans = [
      await prepare(setState, { ...ids(count), state: 'ERROR' }, testContext()),
      await prepare(paint, ids(count), testContext()),
    ];
    return plans.map(({ plan }) => plan?.staged);
  };
  expect(await isStaged(1999)).toEqual([undefined, undefined]);
  expect(await isStaged(2000)).toEqual([true, true]);
});

test('a plan from counts is staged, too', async () => {
  expect(await setState.outline?.(testContext(), { state: 'ERROR' }, '')).toMatchObject({
    count: 20_000,
    staged: true,
  });
});

test('items that stay as they are do not count', async () => {
  const { plan } = await prepare(setState, { ...ids(2000), state: 'OK' }, testContext());
  expect([plan?.count, plan?.staged]).toEqual([0, undefined]);
});

test('a staged run that stops says so, and can continue with the rest', async () => {
  call.mockRejectedValue(new ConnectError('locked', Code.FailedPrecondition));
  const args = { ...ids(2000), state: 'ERROR' };
  const completedRun = await run(await prepare(setState, args, testContext()), testContext());
  expect(completedRun).toMatchObject({ stopped: true, inverse: undefined });
  expect(completedRun.outcome.message).toEqual(message('common:done.failed', { count: 1 }));
  expect(call).toHaveBeenCalledTimes(1);
  const remaining = resumeInvocation(setState, completedRun)?.args['gadgets'];
  expect(remaining).toEqual({ ids: fleet.slice(1).map(({ id }) => id) });
});

test('a canceled run is not stopped', async () => {
  const controller = new AbortController();
  call.mockImplementation(async () => controller.abort());
  const context = testContext({ signal: controller.signal });
  const completedRun = await run(await prepare(setState, { ...ids(2000), state: 'ERROR' }, context), context);
  expect([completedRun.stopped, completedRun.outcome.results?.filter(({ skipped }) => skipped).length]).toEqual([
    undefined,
    1999,
  ]);
});

test('an undo restores everything at once', async () => {
  const completedRun = await run(
    await prepare(setState, { ...ids(2000), state: 'ERROR' }, testContext()),
    testContext(),
  );
  for (const item of fleet) (item as { state: string }).state = 'ERROR';
  const entry = { run: completedRun, undone: false };
  const { plan, steps } = await prepareUndo(
    { entry, skippedLater: false },
    createRegistry([{ entity: gadget, commands: [setState] }]),
    testContext(),
  );
  expect([plan.count, plan.staged, steps[0]?.plan?.staged]).toEqual([2000, undefined, undefined]);
  for (const item of fleet) (item as { state: string }).state = 'OK';
});
