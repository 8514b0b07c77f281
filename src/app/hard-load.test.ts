import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';

import { hardLoad } from './hard-load.ts';

const BUILD = 'https://console.example/assets/start-1.js';

let assign: MockInstance<Location['assign']>;
beforeEach(() => {
  assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  window.sessionStorage.clear();
});

it('loads the target URL', () => {
  window.history.replaceState(null, '', '/devices');
  expect(hardLoad('/settings/tags?filter=pump', BUILD)).toBe(true);
  expect(assign).toHaveBeenCalledExactlyOnceWith('/settings/tags?filter=pump');
});

it('loads a target only once', () => {
  hardLoad('/settings/tags', BUILD);
  expect(hardLoad('/settings/tags', BUILD)).toBe(false);
  expect(assign).toHaveBeenCalledOnce();
});

it('loads again for another target or a new build', () => {
  hardLoad('/settings/tags', BUILD);
  expect(hardLoad('/devices', BUILD)).toBe(true);
  expect(hardLoad('/devices', 'https://console.example/assets/start-2.js')).toBe(true);
});
