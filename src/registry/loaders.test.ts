import { expect, it, vi } from 'vitest';

import { importEntity, importNoun, manifest } from './loaders.ts';

it('imports each noun of the manifest from its folder, with its entity alone or with its commands', async () => {
  for (const { name, entity, commands } of manifest) {
    const noun = await importNoun(name);
    expect(noun.entity?.name).toBe(entity?.name);
    expect(commands.length).toBeGreaterThan(0);
    if (entity) expect(await importEntity(name)).toBe(noun.entity);
  }
});

it('preloads what the screen at a path shows, and what the address of the console opens', async () => {
  const { preloadScreen } = await import('./loaders.ts');
  for (const path of ['/', '/devices', '/settings/tags/12/update', '/user/general', '/nothing']) {
    expect(() => preloadScreen(path)).not.toThrow();
  }
  await vi.dynamicImportSettled();
});
