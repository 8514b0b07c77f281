import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testing';
import { registry } from './all.ts';
import type { AnyEntity } from './core/entity.ts';
import type { Message } from './core/message.ts';
import { compileText } from './query/compile.ts';
import { createTranslator, translateWith } from './i18n.ts';
import * as resources from './locales/resources.ts';
import { contextAs } from './testing/server.ts';

// What a table or a panel says of the seeded fleet is for people: no names of constants, no JSON, no times as machines write them.

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const say = translateWith(await createTranslator('en', resources));
const MACHINE = [
  /\b[A-Z]+(?:_[A-Z0-9]+)+\b/,
  /\b[a-z]+_[a-z_]+\b/,
  /^[[{]/,
  /\d{4}-\d\d-\d\dT\d\d:/,
  /^[a-z]+:[a-z]+[.]/i,
];
/** Ids and names that the contract gives as text, and that people type as they are. */
const IDS = ['id', 'identifier', 'url'];

function shown(entity: AnyEntity, item: unknown): readonly string[] {
  return [...entity.columns, ...(entity.facts ?? [])].flatMap((part) => {
    // A moment is written by whoever shows it.
    if (part.at?.(item) !== undefined || IDS.includes(part.id)) return [];
    const value: string | Message | undefined = part.value(item);
    const text = typeof value === 'object' ? say(value) : (value ?? '');
    return MACHINE.some((pattern) => pattern.test(text)) ? [`${entity.name} ${part.id}: ${text}`] : [];
  });
}

test.each(registry.entities.map((entity) => [entity.name, entity] as const))(
  '%s is shown in words',
  async (_, entity) => {
    const person = entity.name === 'visit' ? 'support' : 'administrator';
    const context = await contextAs(server, person);
    const filter = await compileText(entity, '', context);
    const { items } = await entity.list(context, filter, { page: 0, size: 100 });
    expect([...new Set(items.flatMap((item) => shown(entity, item)))]).toEqual([]);
  },
);
