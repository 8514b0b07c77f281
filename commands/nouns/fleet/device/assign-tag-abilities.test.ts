import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Ability } from '#commands/model/ability.ts';
import { availability } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, type as typeLine } from '#commands/testkit/server.ts';

// Spec 6 asks for TAGS_MANAGE and the contract for MODEMS_UPDATE: assigning a tag takes both.

let server: TestServer;
let operator: Context;
beforeAll(async () => {
  server = await startTestServer();
  operator = await contextAs(server, 'operator');
});
afterAll(() => server.close());

const without = (...missing: readonly Ability[]): Context => ({
  ...operator,
  actor: {
    ...operator.actor,
    abilities: new Set([...operator.actor.abilities].filter((item) => !missing.includes(item))),
  },
});
const lackedBy = (id: string, context: Context): string | undefined => {
  const answer = availability(registry.command(id)!, context);
  return answer.ok ? undefined : answer.reason.lacks;
};

test.each(['tag.assign', 'tag.unassign'])('%s needs both permissions and names each that is missing', (id) => {
  expect(lackedBy(id, operator)).toBeUndefined();
  expect(lackedBy(id, without('ASSIGN_TAGS', 'MANAGE_TAGS'))).toBe('TAGS_MANAGE');
  expect(lackedBy(id, without('EDIT_DEVICE'))).toBe('MODEMS_UPDATE');
  expect(lackedBy(id, without('ASSIGN_TAGS', 'EDIT_DEVICE'))).toBe('TAGS_MANAGE, MODEMS_UPDATE');
});

test('a viewer who tries anyway gets the sentence', async () => {
  const viewer = await contextAs(server, 'viewer');
  await expect(typeLine(viewer, "tag assign 'health:ERROR' --tag 'Needs visit'")).rejects.toMatchObject({
    userMessage: { key: 'core:unavailable.ability', values: { count: 2 } },
  });
});
