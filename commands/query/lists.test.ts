import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { token } from '#commands/nouns/integrations/token/entity.ts';
import { user } from '#commands/nouns/people/user/entity.ts';
import { webhook } from '#commands/nouns/integrations/webhook/entity.ts';
import { compileText } from './compile.ts';
import { complete } from './complete.ts';
import { FilterError, fixedTexts } from './problem.ts';

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

async function meant(entity: AnyEntity, text: string): Promise<string | undefined> {
  const refused: unknown = await compileText(entity, text, context).catch((error: unknown) => error);
  return refused instanceof FilterError ? fixedTexts(text, refused.problem)[0] : undefined;
}

async function offered(entity: AnyEntity, text: string): Promise<ReadonlyMap<string, number | undefined>> {
  const { suggestions } = await complete(text, text.length, entity, context);
  return new Map(suggestions.map(({ value, count }) => [value, count]));
}

test('tokens are found by the name or the address of their owner', async () => {
  const { name, email } = context.actor;
  for (const owner of [name, email]) expect(await labels(token, `user:"${owner}"`)).toContain('reader');
  expect(await labels(token, `-user:"${name}"`)).not.toContain('reader');
  expect(await meant(token, `user:"${name.slice(0, -1)}"`)).toBe(`user:"${name}"`);
  expect((await offered(token, 'user:')).get(`"${name}"`)).toBe((await labels(token, `user:"${name}"`)).length);
});

test('a webhook counts webhooks, and does not offer what the contract cannot select', async () => {
  const items = await listAll(webhook, '', context);
  const all = items.length;
  const active = items.filter((item) => !item.webhook.data?.disabled).length;
  expect(active).toBeLessThan(all);
  expect((await offered(webhook, 'tag:')).get('"Needs visit"')).toBe(all);
  expect(await offered(webhook, 'active:')).toEqual(new Map([['true', active]]));
});

test('a part of a name stands for every tag that has it', async () => {
  expect(await labels(webhook, 'tag:needs*')).toEqual(await labels(webhook, ''));
  expect(await labels(webhook, '-tag:*visit')).toEqual([]);
  expect(await labels(tag, 'name:*visit')).toEqual(['Needs visit']);
});

test('a name that does not exist is answered with the one that was meant', async () => {
  expect(await meant(webhook, 'tag:"Need visit"')).toBe('tag:"Needs visit"');
  expect(await meant(tag, 'name:"neds visit"')).toBe('name:"Needs visit"');
  expect(await meant(tag, 'type:wel')).toBe('type:well');
  expect(await meant(webhook, 'health:ERROR health:OK')).toBe('health:ERROR,OK');
  expect(await meant(webhook, 'url:*example*')).toBe('url:example');
  expect(await meant(user, 'permission:USERS_MANGE')).toBe('permission:USERS_MANAGE');
  expect(await meant(token, 'type:personl')).toBe('type:PERSONAL');
});

test('an id beyond what can be written exactly is refused', async () => {
  for (const [text, key] of [
    ['id:9007199254740993', 'core:validation.tooLarge'],
    ['id:-9007199254740993', 'core:validation.tooSmall'],
    ['id:1.5', 'core:validation.integer'],
  ] as const)
    await expect(compileText(webhook, text, context)).rejects.toMatchObject({ userMessage: { key } });
});
