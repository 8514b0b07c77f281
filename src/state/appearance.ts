import { settingsAtom } from './settings.ts';
import { store } from './store.ts';

/**
 * Keeps the page's theme, density, and language in sync with the settings. `system` leaves the theme to the browser.
 */
export function followSettings(): void {
  apply();
  store.sub(settingsAtom, apply);
}

function apply(): void {
  const { theme, density, language } = store.get(settingsAtom);
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.dataset['density'] = density;
  root.lang = language;
}
