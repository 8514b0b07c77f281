import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { contextAs, type as typeLine } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

// Assigning a tag requires two permissions: TAGS_MANAGE (spec 6) and MODEMS_UPDATE (contract).

let server: TestServer;
let operator: Context;
beforeAll(async () => {
  server = await startTestServer();
  operator = await contextAs(server, 'operator');
});
afterAll(() => server.close());

const operatorWithout = (...missingAbilities: readonly Ability[]): Context => ({
  ...operator,
  actor: {
    ...operator.actor,
    abilities: new Set([...operator.actor.abilities].filter((ability) => !missingAbilities.includes(ability))),
  },
});
const missingPermissions = (id: string, context: Context): string | undefined => {
  const result = availability(registry.command(id)!, context);
  return result.ok ? undefined : result.reason.missing;
};

test.each(['tag.assign', 'tag.unassign'])('%s requires both permissions and names the missing ones', (id) => {
  expect(missingPermissions(id, operator)).toBeUndefined();
  expect(missingPermissions(id, operatorWithout('ASSIGN_TAGS', 'MANAGE_TAGS'))).toBe('TAGS_MANAGE');
  expect(missingPermissions(id, operatorWithout('EDIT_DEVICE'))).toBe('MODEMS_UPDATE');
  expect(missingPermissions(id, operatorWithout('ASSIGN_TAGS', 'EDIT_DEVICE'))).toBe('TAGS_MANAGE, MODEMS_UPDATE');
});

test('tells a viewer which permissions are missing', async () => {
  const viewer = await contextAs(server, 'viewer');
  await expect(typeLine(viewer, "tag assign 'health:ERROR' --tag 'Needs visit'")).rejects.toMatchObject({
    userMessage: { key: 'core:unavailable.ability', values: { count: 2 } },
  });
});
