import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { agreesWithOutline, planOutline } from '#commands/run/outline.ts';
import { prepare, repeatInvocation } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { assign } from './assign-tag.ts';
import { device } from './entity.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer({ devices: 120 });
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const count = (query: string): Promise<number> => countTarget(device, { query }, context);

test('assigns a new tag to all devices in error, undoes it, and assigns it again', async () => {
  const errorCount = await count('health:ERROR');
  expect(errorCount).toBeGreaterThan(1);
  const line = "tag assign 'health:ERROR' --tag 'Needs visit'";

  const plan = await planLine(context, line);
  expect(plan).toMatchObject({ count: errorCount, reversible: true, notes: [{ key: 'tag:plan.creates' }] });
  // Lists only the added tag, because a device may have many.
  expect(plan?.changes.map(({ id: _id, label: _label, ...change }) => change)).toEqual(
    Array.from({ length: errorCount }, () => ({ field: { key: 'device:columns.tags' }, added: ['Needs visit'] })),
  );

  const completedRun = await type(context, line);
  expect(completedRun.outcome.results).toHaveLength(errorCount);
  expect(completedRun.outcome.message?.key).toBe('tag:done.assignedNew');
  expect(await count('tag:"Needs visit"')).toBe(errorCount);

  await undo(context, completedRun);
  expect(await count('tag:"Needs visit"')).toBe(0);

  const repeatedRun = await invoke(context, repeatInvocation(assign, completedRun.invocation, context));
  expect(repeatedRun.outcome.message?.key).toBe('tag:done.assigned');
  expect(await count('tag:"Needs visit" health:ERROR')).toBe(errorCount);
});

test('deletes the newly created tag if every assignment is rejected, and says so if that fails', async () => {
  const reject = async () => {
    throw new ConnectError('This device is locked.', Code.PermissionDenied);
  };
  const api = ((service) => ({ ...context.api(service), updateTags: reject })) as Context['api'];
  const completedRun = await type({ ...context, api }, "tag assign 'health:ERROR' --tag 'Rejected'");
  expect(completedRun.outcome.message?.key).toBe('common:done.failed');
  expect(completedRun.inverse).toBeUndefined();
  expect(await tag.find(context, 'Rejected')).toEqual([]);

  const stuckApi = ((service) => ({ ...api(service), delete: reject })) as Context['api'];
  const leftoverRun = await type({ ...context, api: stuckApi }, "tag assign 'health:ERROR' --tag 'Rejected'");
  expect(leftoverRun.outcome.message).toMatchObject({ key: 'tag:done.leftNew', values: { tag: 'Rejected' } });
  expect(await tag.find(context, 'Rejected')).toHaveLength(1);
});

test.each([
  ['with a line break', 'Needs\nvisit', 'core:validation.oneLine'],
  ['longer than the limit', 'x'.repeat(201), 'core:validation.maxLength'],
  ['consisting only of spaces', '  ', 'core:validation.required'],
])('rejects the name of a new tag: %s', async (_case, name, key) => {
  await expect(planLine(context, `tag assign '*' --tag '${name}'`)).rejects.toMatchObject({
    userMessage: { key },
    param: 'tag',
  });
});

test('plans a new tag under its trimmed name', async () => {
  const completedRun = await type(context, "tag assign 'health:ERROR' --tag ' Padded '");
  expect(completedRun.changes?.[0]?.added).toEqual(['Padded']);
  expect(
    await prepareUndo({ entry: { run: completedRun, undone: false }, skippedLater: false }, registry, context),
  ).toMatchObject({
    confirm: false,
    plan: { changes: expect.arrayContaining([expect.objectContaining({ removed: ['Padded'] })]) },
  });
});

test('rejects a second tag with the same name and type', async () => {
  expect((await planLine(context, "tag create 'Twice'"))?.notes).toEqual([]);
  await type(context, "tag create 'Twice'");
  for (const line of ["tag create ' Twice '", "tag create 'Twice' --type group"]) {
    await expect(planLine(context, line)).rejects.toMatchObject({
      userMessage: message('tag:validation.exists', { tag: 'Twice' }),
      param: 'name',
    });
  }
  expect((await planLine(context, "tag create 'Twice' --type site"))?.notes).toEqual([message('tag:plan.sameName')]);
  await type(context, "tag create 'Twice' --type site");
});

test('undo keeps the tag on devices that already had it', async () => {
  await type(context, "tag create 'Spring check'");
  const firstRun = await type(context, "tag assign 'health:ERROR' --tag 'Spring check'");
  const taggedBefore = firstRun.outcome.results?.length ?? 0;
  const completedRun = await type(context, "tag assign '*' --tag 'Spring check'");
  const plan = await planLine(context, "tag unassign '*' --tag 'Spring check'");
  expect(plan?.count).toBe((completedRun.outcome.results?.length ?? 0) + taggedBefore);
  await undo(context, completedRun);
  expect(await count('tag:"Spring check"')).toBe(taggedBefore);
});

test('the outline of assigning or removing a tag matches the plan', async () => {
  await type(context, "tag create 'Counted'");
  await type(context, "tag assign 'health:ERROR' --tag Counted");
  const countInBoth = async (verb: string, query: string, name = 'Counted') => {
    const command = registry.command(`tag.${verb}`)!;
    const args = { devices: { query }, tag: name };
    const outline = await planOutline(command, args, context);
    const { plan } = await prepare(command, args, context);
    expect(agreesWithOutline(plan!, outline!), `${verb} ${query}`).toBe(true);
    expect([outline!.summary, outline!.notes]).toEqual([plan!.summary, plan!.notes]);
    return outline!.count;
  };
  expect(await countInBoth('assign', '')).toBeGreaterThan(await countInBoth('assign', 'lifecycle:INSTALLED'));
  expect(await countInBoth('assign', 'health:ERROR')).toBe(0);
  expect(await countInBoth('assign', 'health:ERROR', 'Brand new')).toBeGreaterThan(0);
  expect(await countInBoth('unassign', '')).toBe(await count('health:ERROR'));
});
