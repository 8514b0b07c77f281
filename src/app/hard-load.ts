const KEY = 'quarterdeck-hard-load';

/**
 * Loads the page anew at an address whose screen could not be loaded: the server has another build of the console by
 * now (spec 8). Once for an address and a build; false when that was tried already, and trying again would go on for
 * ever.
 */
export function hardLoad(target: string, build: string = import.meta.url): boolean {
  const attempt = `${build} ${target}`;
  if (window.sessionStorage.getItem(KEY) === attempt) return false;
  window.sessionStorage.setItem(KEY, attempt);
  window.location.assign(target);
  return true;
}
