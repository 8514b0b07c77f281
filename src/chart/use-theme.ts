import { useAtomValue } from 'jotai';
import { useSyncExternalStore } from 'react';

import { settingsAtom } from '#src/state/settings.ts';

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  prefersDark.addEventListener('change', listener);
  return () => prefersDark.removeEventListener('change', listener);
}

/** Returns the effective theme. Rerenders when the user or the system changes it. */
export function useTheme(): 'light' | 'dark' {
  const { theme } = useAtomValue(settingsAtom);
  const isSystemDark = useSyncExternalStore(subscribe, () => prefersDark.matches);
  return theme === 'system' ? (isSystemDark ? 'dark' : 'light') : theme;
}
