import { beforeEach, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { availability } from '#commands/run/availability.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { loadersFor } from './testkit/loaders.ts';

const entity = gadget as unknown as AnyEntity;
const paint = command({
  id: 'gadget.paint',
  on: () => entity,
  effect: 'read',
  keys: ['p'],
  blockedReason: () => message('gadget:noPaint'),
  run: async () => ({}),
});
const beep = command({ id: 'horn.beep', effect: 'read', keys: ['b'], run: async () => ({}) });
const loaders = loadersFor({ gadget: { entity, commands: [paint] }, horn: { commands: () => [beep] } });
const importNoun = vi.fn<typeof loaders.importNoun>();

vi.mock('./loaders.ts', () => ({
  get manifest() {
    return loaders.manifest;
  },
  importEntity: (name: string) => loaders.importEntity(name),
  importNoun: (name: string) => importNoun(name),
}));

const load = () => import('./registry.ts');
let registry: Awaited<ReturnType<typeof load>>;
beforeEach(async () => {
  importNoun.mockReset().mockImplementation(loaders.importNoun);
  vi.resetModules();
  registry = await load();
});

test('lists the metadata of every command and entity before any declaration has loaded', () => {
  const { directory } = registry;
  expect(directory().commands.map(({ id, keys }) => [id, keys])).toEqual([
    ['gadget.paint', ['p']],
    ['horn.beep', ['b']],
  ]);
  expect(directory().command('gadget.paint')?.on?.().name).toBe('gadget');
  expect(directory().entity('gadgets')?.screen?.path).toBe('/gadgets');
  expect(registry.registry().commands).toEqual([]);
  expect(registry.registry().entity('gadget')).toBeUndefined();
});

test('loads only the nouns of the requested commands', async () => {
  const context = testContext();
  expect(availability(registry.directory().command('gadget.paint')!, context).ok).toBe(true);
  await registry.loadCommands(['gadget.paint', 'gadget.unknown']);
  expect(registry.loadCommands(['gadget.paint'])).toBeUndefined();
  expect(importNoun.mock.calls).toEqual([['gadget']]);
  expect(registry.registry().command('gadget.paint')).toBe(paint);
  expect(registry.registry().entity('gadget')).toBe(entity);
  expect(registry.registry().command('horn.beep')).toBeUndefined();
  expect(availability(registry.directory().command('gadget.paint')!, context).ok).toBe(false);
});

test("loads an entity without its noun's commands", async () => {
  expect(await registry.loadEntity('gadget')).toBe(entity);
  expect(registry.registry().entity('gadget')).toBe(entity);
  expect(registry.registry().commands).toEqual([]);
  expect(await registry.loadEntity('nothing')).toBeUndefined();
});

test('completes a loaded entity in place, because a new object would reset its table', async () => {
  const detailTabs: AnyEntity['detailTabs'] = [];
  const loadedEntity = { ...entity };
  const parts = loadersFor({ gadget: { entity: loadedEntity, commands: [] } });
  const importEntity = vi.spyOn(loaders, 'importEntity').mockImplementation(parts.importEntity);
  importNoun.mockResolvedValue({ entity: { ...entity, detailTabs }, commands: [] });
  const first = await registry.loadEntity('gadget');
  await registry.loadCommands(['gadget.paint']);
  importEntity.mockRestore();
  expect(first).toBe(loadedEntity);
  expect(registry.registry().entity('gadget')).toBe(loadedEntity);
  expect(loadedEntity.detailTabs).toBe(detailTabs);
});

test('loads everything, in manifest order', async () => {
  await registry.loadCommands(['horn.beep']);
  await Promise.all([registry.loadAll(), registry.loadAll()]);
  expect(registry.registry().commands).toEqual([paint, beep]);
  expect(registry.directory().commands).toEqual([paint, beep]);
});

test('reports that a part could not be loaded, and retries on the next call', async () => {
  importNoun.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  await expect(registry.loadAll()).rejects.toMatchObject({ userMessage: { key: 'console:load.failed' } });
  await registry.loadAll();
  expect(registry.registry().commands).toHaveLength(2);
});
