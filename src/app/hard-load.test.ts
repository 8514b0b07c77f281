import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';

import { hardLoad } from './hard-load.ts';

const BUILD = 'https://console.example/assets/start-1.js';

let assign: MockInstance<Location['assign']>;
beforeEach(() => {
  assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  window.sessionStorage.clear();
});

it('loads the target, not the page that one was on', () => {
  window.history.replaceState(null, '', '/devices');
  expect(hardLoad('/settings/tags?filter=pump', BUILD)).toBe(true);
  expect(assign).toHaveBeenCalledExactlyOnceWith('/settings/tags?filter=pump');
});

it('does so once for a target, so that a screen that is broken does not load for ever', () => {
  hardLoad('/settings/tags', BUILD);
  expect(hardLoad('/settings/tags', BUILD)).toBe(false);
  expect(assign).toHaveBeenCalledOnce();
});

it('does so again for another target, and when the server was updated once more', () => {
  hardLoad('/settings/tags', BUILD);
  expect(hardLoad('/devices', BUILD)).toBe(true);
  expect(hardLoad('/devices', 'https://console.example/assets/start-2.js')).toBe(true);
});
