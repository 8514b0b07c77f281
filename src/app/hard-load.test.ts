import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';

import { hardLoad } from './hard-load.ts';

const build = 'https://console.example/assets/start-1.js';

let assign: MockInstance<Location['assign']>;
beforeEach(() => {
  assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  window.sessionStorage.clear();
});

it('loads the target, not the page that one was on', () => {
  window.history.replaceState(null, '', '/devices');
  expect(hardLoad('/settings/tags?filter=pump', build)).toBe(true);
  expect(assign).toHaveBeenCalledExactlyOnceWith('/settings/tags?filter=pump');
});

it('does so once for a target, so that a screen that is broken does not load for ever', () => {
  hardLoad('/settings/tags', build);
  expect(hardLoad('/settings/tags', build)).toBe(false);
  expect(assign).toHaveBeenCalledOnce();
});

it('does so again for another target, and when the server was updated once more', () => {
  hardLoad('/settings/tags', build);
  expect(hardLoad('/devices', build)).toBe(true);
  expect(hardLoad('/devices', 'https://console.example/assets/start-2.js')).toBe(true);
});
