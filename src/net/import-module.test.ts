import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { importModule } from './import-module.ts';

const offline = new TypeError('Failed to fetch');
const fetchFile = vi.fn<(url: string) => Promise<Response>>();

beforeEach(() => void vi.stubGlobal('fetch', fetchFile));
afterEach(() => vi.unstubAllGlobals());

it('imports a module after downloading everything it needs, and retries failed downloads', async () => {
  const load = vi.fn<() => Promise<string>>(async () => 'lamp');
  const errors: unknown[] = [];
  const recordError = (event: Event & { readonly payload?: unknown }): void => void errors.push(event.payload);
  window.addEventListener('vite:preloadError', recordError);
  fetchFile.mockImplementation(async (url) => {
    if (url.includes('bulb')) throw offline;
    return new Response('');
  });
  const importLamp = () => importModule(load, ['assets/lamp.js', 'assets/bulb.js']);
  await expect(importLamp()).rejects.toBe(offline);
  expect(load).not.toHaveBeenCalled();
  expect(errors).toEqual([offline]);

  // A newer build no longer has the file.
  fetchFile.mockImplementation(async () => new Response('', { status: 404 }));
  await expect(importLamp()).rejects.toThrow('The server responded with 404 for /assets/bulb.js.');
  expect(load).not.toHaveBeenCalled();

  fetchFile.mockImplementation(async () => new Response(''));
  await expect(importLamp()).resolves.toBe('lamp');
  await importLamp();
  expect(fetchFile.mock.calls.map(([url]) => url)).toEqual([
    '/assets/lamp.js',
    '/assets/bulb.js',
    '/assets/bulb.js',
    '/assets/bulb.js',
  ]);
  window.removeEventListener('vite:preloadError', recordError);
});
