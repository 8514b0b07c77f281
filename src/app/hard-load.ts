import { tabStorage } from '#src/state/browser-storage.ts';

const KEY = 'quarterdeck-hard-load';

/**
 * Loads the page anew at an address whose screen could not be loaded: the server has another build of the console by
 * now (spec 8). Once for an address and a build; false when that was tried already, and trying again would go on for
 * ever.
 */
export function hardLoad(target: string, build: string = import.meta.url): boolean {
  const attempt = `${build} ${target}`;
  if (tabStorage.get(KEY) === attempt) return false;
  tabStorage.set(KEY, attempt);
  window.location.assign(target);
  return true;
}
