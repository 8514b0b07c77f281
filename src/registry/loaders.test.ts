import { expect, test, vi } from 'vitest';

import { importEntity, importNoun, manifest, preloadScreen } from './loaders.ts';

test('imports each noun in the manifest from its folder, with its commands or only its entity', async () => {
  const nouns = await Promise.all(manifest.map(({ name }) => importNoun(name)));
  expect(nouns.map(({ entity }) => entity?.name)).toEqual(manifest.map(({ entity }) => entity?.name));
  const withEntity = manifest.filter(({ entity }) => entity);
  const entities = await Promise.all(withEntity.map(({ name }) => importEntity(name)));
  const completeEntities = nouns.flatMap(({ entity }) => entity ?? []);
  // Only the panel shows tabs, so they can load with the commands.
  const withTabs = entities.map((entity, index) => ({ ...entity, detailTabs: completeEntities[index]?.detailTabs }));
  expect(withTabs).toEqual(completeEntities);
});

test('preloads the screen at any path', async () => {
  for (const path of ['/', '/devices', '/settings/tags/12/update', '/user/general', '/nothing']) {
    expect(() => preloadScreen(path)).not.toThrow();
  }
  await vi.dynamicImportSettled();
});
