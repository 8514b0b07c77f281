import { tabStorage } from '#src/state/browser-storage.ts';

const KEY = 'quarterdeck-hard-load';

/**
 * Reloads the page at an address whose screen failed to load, because the server has a newer build of the console (spec
 * 8). Only once per address and build; false if already tried, to avoid an endless loop.
 */
export function hardLoad(target: string, build: string = import.meta.url): boolean {
  const attempt = `${build} ${target}`;
  if (tabStorage.get(KEY) === attempt) return false;
  tabStorage.set(KEY, attempt);
  window.location.assign(target);
  return true;
}
