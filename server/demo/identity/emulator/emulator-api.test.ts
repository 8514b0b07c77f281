import { createRequire } from 'node:module';

import { expect, test } from 'vitest';

import manifest from '../../../../package.json' with { type: 'json' };
import { loadEmulator } from './emulator-api.ts';

test('loads none of the packages that package.json replaces with empty ones', { timeout: 60_000 }, async () => {
  const { cache } = createRequire(import.meta.url);
  await loadEmulator('demo-test').createApp(new Map());
  const loadedPaths = Object.keys(cache).map((path) => path.replaceAll('\\', '/'));
  const isLoaded = (name: string) => loadedPaths.some((path) => path.includes(`/node_modules/${name}/`));
  expect(isLoaded('undici')).toBe(true);
  expect(Object.keys(manifest.overrides['firebase-tools']).filter(isLoaded)).toEqual([]);
});
