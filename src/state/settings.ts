import type { Settings } from '#commands/model/host.ts';

import { storedAtom } from './stored-atom.ts';

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'compact',
  language: 'en',
  railCollapsed: false,
  singleKeys: true,
  askReason: true,
};

/** Settings stored in this browser and shared by its tabs: how the console looks and behaves in any organization. */
export const settingsAtom = storedAtom<Settings>('quarterdeck-settings', DEFAULT_SETTINGS, (stored) => {
  const entries = Object.entries(DEFAULT_SETTINGS).map(([name, defaultValue]) => {
    const value: unknown = Object(stored)[name];
    return [name, typeof value === typeof defaultValue ? value : defaultValue];
  });
  return Object.fromEntries(entries) as Settings;
});
