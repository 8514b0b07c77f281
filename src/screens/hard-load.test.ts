import { beforeEach, expect, type MockInstance, test, vi } from 'vitest';

import { hardLoad } from './hard-load.ts';

const BUILD = 'https://console.example/assets/start-1.js';

let assign: MockInstance<Location['assign']>;
let fetchPage: MockInstance<typeof fetch>;
beforeEach(() => {
  assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  fetchPage = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('<!doctype html>'));
  window.sessionStorage.clear();
});

test('loads the target URL', async () => {
  window.history.replaceState(null, '', '/devices');
  expect(await hardLoad('/settings/tags?filter=pump', BUILD)).toBe(true);
  expect(assign).toHaveBeenCalledExactlyOnceWith('/settings/tags?filter=pump');
});

test('loads a target only once', async () => {
  await hardLoad('/settings/tags', BUILD);
  expect(await hardLoad('/settings/tags', BUILD)).toBe(false);
  expect(assign).toHaveBeenCalledOnce();
});

test('loads again for another target or a new build', async () => {
  await hardLoad('/settings/tags', BUILD);
  expect(await hardLoad('/devices', BUILD)).toBe(true);
  expect(await hardLoad('/devices', 'https://console.example/assets/start-2.js')).toBe(true);
});

test('stays on the page while the server is unreachable, and loads the target later', async () => {
  fetchPage.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  fetchPage.mockResolvedValueOnce(new Response('', { status: 502 }));
  expect(await hardLoad('/devices', BUILD)).toBe(false);
  expect(await hardLoad('/devices', BUILD)).toBe(false);
  expect(assign).not.toHaveBeenCalled();
  expect(await hardLoad('/devices', BUILD)).toBe(true);
});
