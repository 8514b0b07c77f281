import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { token } from '#commands/nouns/integrations/token/entity.ts';
import { webhook } from '#commands/nouns/integrations/webhook/entity.ts';
import { user } from '#commands/nouns/people/user/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { compileText } from './compile.ts';
import { complete } from './complete.ts';
import { FilterError, applyFixes } from './problem.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer({ devices: 20 });
  context = await contextAs(server, 'administrator');
  await type(context, "tag create 'Needs visit'");
  await type(context, 'webhook create https://example.com/a --description First');
  await type(context, 'webhook create https://example.com/b --description Second --disabled');
  await type(context, "webhook tag '*' --add 'Needs visit'");
  await type(context, 'token create reader --permissions MODEMS');
});
afterAll(() => server.close());

const labels = async (entity: AnyEntity, text: string): Promise<readonly string[]> =>
  (await listAll(entity, text, context)).map((item) => entity.label(item)).toSorted();

async function suggestCorrection(entity: AnyEntity, text: string): Promise<string | undefined> {
  const error: unknown = await compileText(entity, text, context).catch((reason: unknown) => reason);
  return error instanceof FilterError ? applyFixes(text, error.problem)[0] : undefined;
}

async function countSuggestions(entity: AnyEntity, text: string): Promise<ReadonlyMap<string, number | undefined>> {
  const { suggestions } = await complete(text, text.length, entity, context);
  return new Map(suggestions.map(({ value, count }) => [value, count]));
}

test('filters tokens by the name or email address of their owner', async () => {
  const { name, email } = context.actor;
  for (const owner of [name, email]) expect(await labels(token, `user:"${owner}"`)).toContain('reader');
  expect(await labels(token, `-user:"${name}"`)).not.toContain('reader');
  expect(await suggestCorrection(token, `user:"${name.slice(0, -1)}"`)).toBe(`user:"${name}"`);
  expect((await countSuggestions(token, 'user:')).get(`"${name}"`)).toBe(
    (await labels(token, `user:"${name}"`)).length,
  );
});

test('completes webhook filters with webhook counts and only supported values', async () => {
  const items = await listAll(webhook, '', context);
  const total = items.length;
  const active = items.filter((item) => !item.webhook.data?.disabled).length;
  expect(active).toBeLessThan(total);
  expect((await countSuggestions(webhook, 'tag:')).get('"Needs visit"')).toBe(total);
  expect(await countSuggestions(webhook, 'active:')).toEqual(new Map([['true', active]]));
});

test('matches tags by a pattern for part of the name', async () => {
  expect(await labels(webhook, 'tag:needs*')).toEqual(await labels(webhook, ''));
  expect(await labels(webhook, '-tag:*visit')).toEqual([]);
  expect(await labels(tag, 'name:*visit')).toEqual(['Needs visit']);
});

test('suggests the nearest names for a misspelled name', async () => {
  expect(await suggestCorrection(webhook, 'tag:"Need visit"')).toBe('tag:"Needs visit"');
  expect(await suggestCorrection(tag, 'name:"neds visit"')).toBe('name:"Needs visit"');
  expect(await suggestCorrection(tag, 'type:wel')).toBe('type:well');
  expect(await suggestCorrection(webhook, 'health:ERROR health:OK')).toBe('health:ERROR,OK');
  expect(await suggestCorrection(webhook, 'url:*example*')).toBe('url:example');
  expect(await suggestCorrection(user, 'permission:USERS_MANGE')).toBe('permission:USERS_MANAGE');
  expect(await suggestCorrection(token, 'type:personl')).toBe('type:PERSONAL');
});

test("rejects an id that isn't a safe integer", async () => {
  for (const [text, key] of [
    ['id:9007199254740993', 'core:validation.tooLarge'],
    ['id:-9007199254740993', 'core:validation.tooSmall'],
    ['id:1.5', 'core:validation.integer'],
  ] as const)
    await expect(compileText(webhook, text, context)).rejects.toMatchObject({ userMessage: { key } });
});

test('finds items with or without tags, however many', async () => {
  await server.app.db.orm.execute(sql`insert into tag (organization, id, name, type)
    select ${context.organization.id}, 1000000 + n, 'Tag ' || n, 'group' from generate_series(1, 1500) n`);
  const busyContext = await contextAs(server, 'administrator');
  const count = async (entity: AnyEntity, text: string) => (await listAll(entity, text, busyContext)).length;
  for (const entity of [device, webhook] as readonly AnyEntity[]) {
    const total = await count(entity, '');
    const tagged = await count(entity, 'tag:*');
    expect(tagged).toBeGreaterThan(0);
    expect(await count(entity, '-tag:*')).toBe(total - tagged);
  }
});

test.each([
  [webhook, 'First'],
  [tag, 'Needs visit'],
  [token, 'reader'],
])('finds an item by its number in a search, with or without #: %#', async (entity: AnyEntity, label) => {
  const [item] = (await listAll(entity, '', context)).filter((candidate) => entity.label(candidate) === label);
  const id = entity.id(item);
  for (const text of [id, `#${id}`]) {
    expect([text, (await entity.search(context, text, 5)).map(entity.label)[0]]).toEqual([text, label]);
    expect((await entity.find(context, text)).map(entity.label)).toEqual([label]);
  }
});

test.each([
  [webhook, 'First', ['id:3', 'id:#3', '#3', '3']],
  [tag, 'Needs visit', ['id:3', 'id:#3', '#3']],
])('finds an item by its number in a filter, with or without #: %#', async (entity: AnyEntity, label, filters) => {
  const [item] = (await listAll(entity, '', context)).filter((candidate) => entity.label(candidate) === label);
  for (const filter of filters) {
    const matches = await labels(entity, filter.replace('3', entity.id(item)));
    expect([filter, matches]).toEqual([filter, [label]]);
  }
});
