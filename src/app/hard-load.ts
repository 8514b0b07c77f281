import { tabStorage } from '#src/state/browser-storage.ts';

const KEY = 'quarterdeck-hard-load';

/**
 * Reloads the page at a URL whose screen failed to load, because the server has a newer build of the console (spec 8).
 * Tries only once per URL and build, to avoid an endless loop; false if already tried.
 */
export function hardLoad(target: string, build: string = import.meta.url): boolean {
  const attempt = `${build} ${target}`;
  if (tabStorage.get(KEY) === attempt) return false;
  tabStorage.set(KEY, attempt);
  window.location.assign(target);
  return true;
}
