import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { agrees, outlineOf } from '#commands/run/outline.ts';
import { prepare, repeatOf } from '#commands/run/run.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { contextAs, invoke, planOf, type, undo } from '#commands/testkit/server.ts';
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

test('a new tag is assigned to all devices in error, taken back, and assigned again', async () => {
  const inError = await count('health:ERROR');
  expect(inError).toBeGreaterThan(1);
  const line = "tag assign 'health:ERROR' --tag 'Needs visit'";

  const plan = await planOf(context, line);
  expect(plan).toMatchObject({ count: inError, reversible: true, notes: [{ key: 'tag:plan.creates' }] });
  // Only what joins: a device may have many tags.
  expect(plan?.changes.map(({ id: _id, label: _label, ...change }) => change)).toEqual(
    Array.from({ length: inError }, () => ({ field: { key: 'device:columns.tags' }, added: ['Needs visit'] })),
  );

  const done = await type(context, line);
  expect(done.outcome.results).toHaveLength(inError);
  expect(done.outcome.message?.key).toBe('tag:done.assignedNew');
  expect(await count('tag:"Needs visit"')).toBe(inError);

  await undo(context, done);
  expect(await count('tag:"Needs visit"')).toBe(0);

  const again = await invoke(context, repeatOf(assign, done.invocation, context));
  expect(again.outcome.message?.key).toBe('tag:done.assigned');
  expect(await count('tag:"Needs visit" health:ERROR')).toBe(inError);
});

test.each([
  ['of one line', 'Needs\nvisit', 'core:validation.oneLine'],
  ['no longer than one that is created by itself', 'x'.repeat(201), 'core:validation.maxLength'],
  ['of more than blanks', '  ', 'core:validation.required'],
])('a new tag has a name %s', async (_rule, name, key) => {
  await expect(planOf(context, `tag assign '*' --tag '${name}'`)).rejects.toMatchObject({
    userMessage: { key },
    param: 'tag',
  });
});

test('undo leaves the tag with those that had it before', async () => {
  await type(context, "tag create 'Spring check'");
  const before = await type(context, "tag assign 'health:ERROR' --tag 'Spring check'");
  const had = before.outcome.results?.length ?? 0;
  const done = await type(context, "tag assign '*' --tag 'Spring check'");
  const plan = await planOf(context, "tag unassign '*' --tag 'Spring check'");
  expect(plan?.count).toBe((done.outcome.results?.length ?? 0) + had);
  await undo(context, done);
  expect(await count('tag:"Spring check"')).toBe(had);
});

test('counting tells what assigning and removing would do', async () => {
  await type(context, "tag create 'Counted'");
  await type(context, "tag assign 'health:ERROR' --tag Counted");
  const both = async (verb: string, query: string, name = 'Counted') => {
    const of = registry.command(`tag.${verb}`)!;
    const args = { devices: { query }, tag: name };
    const outline = await outlineOf(of, args, context);
    const { plan } = await prepare(of, args, context);
    expect(agrees(plan!, outline!), `${verb} ${query}`).toBe(true);
    expect([outline!.summary, outline!.notes]).toEqual([plan!.summary, plan!.notes]);
    return outline!.count;
  };
  expect(await both('assign', '')).toBeGreaterThan(await both('assign', 'lifecycle:INSTALLED'));
  expect(await both('assign', 'health:ERROR')).toBe(0);
  expect(await both('assign', 'health:ERROR', 'Brand new')).toBeGreaterThan(0);
  expect(await both('unassign', '')).toBe(await count('health:ERROR'));
});
