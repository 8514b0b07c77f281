import { atomWithStorage } from 'jotai/utils';

import type { Settings } from '#commands/model/host.ts';

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'compact',
  language: 'en',
  railCollapsed: false,
  singleKeys: true,
  askReason: true,
};

/** Per browser, shared by its tabs: how the console looks and listens, nothing about any organization. */
export const settingsAtom = atomWithStorage<Settings>('quarterdeck-settings', DEFAULT_SETTINGS, undefined, {
  getOnInit: true,
});
