import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { importModule } from './import-module.ts';

/** The files that the page has requested. */
const requests: string[] = [];
let isAvailable: (url: string) => boolean;
const load = vi.fn<() => Promise<string>>(async () => 'lamp');
const errors: unknown[] = [];
const recordError = (event: Event & { readonly payload?: unknown }): void => void errors.push(event.payload);

beforeEach(() => {
  vi.resetModules();
  load.mockClear();
  requests.length = 0;
  errors.length = 0;
  window.addEventListener('vite:preloadError', recordError);
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    const link = node as HTMLLinkElement;
    const { pathname } = new URL(link.href);
    requests.push(`${link.rel} ${pathname}`);
    queueMicrotask(() => link.dispatchEvent(new Event(isAvailable(pathname) ? 'load' : 'error')));
  });
  vi.stubGlobal('fetch', async (pathname: string) => {
    requests.push(`fetch ${pathname}`);
    return new Response('', { status: isAvailable(pathname) ? 200 : 404 });
  });
});
afterEach(() => {
  window.removeEventListener('vite:preloadError', recordError);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe.each([
  { browser: 'Chromium', agent: { userAgentData: {} }, request: 'modulepreload', reason: 'could not be loaded' },
  { browser: 'another browser', agent: {}, request: 'fetch', reason: 'The server responded with 404' },
])('in $browser', ({ agent, request, reason }) => {
  test('imports a module after downloading everything it needs, and retries failed downloads', async () => {
    vi.stubGlobal('navigator', agent);
    const module = await import('./import-module.ts');
    const importLamp: () => ReturnType<typeof importModule> = () =>
      module.importModule(load, ['assets/lamp.js', 'assets/bulb.js', 'assets/lamp.css']);
    isAvailable = (url) => !url.includes('bulb');
    await expect(importLamp()).rejects.toThrow(reason);
    expect(load).not.toHaveBeenCalled();
    expect(errors).toHaveLength(1);

    isAvailable = () => true;
    await expect(importLamp()).resolves.toBe('lamp');
    await importLamp();
    expect(requests).toEqual([
      `${request} /assets/lamp.js`,
      `${request} /assets/bulb.js`,
      'stylesheet /assets/lamp.css',
      `${request} /assets/bulb.js`,
    ]);
  });
});
