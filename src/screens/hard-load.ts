import { tabStorage } from '#src/state/browser-storage.ts';

const KEY = 'quarterdeck-hard-load';

/**
 * Reloads the page at a URL whose screen failed to load, but only if the server responds, in which case it has a newer
 * build of the console (spec 8). If the server is unreachable, a reload would replace the console with the browser's
 * own error page.
 *
 * Tries only once per URL and build, to avoid an endless loop.
 *
 * @returns false if it does not reload
 */
export async function hardLoad(target: string, build: string = import.meta.url): Promise<boolean> {
  const attempt = `${build} ${target}`;
  if (tabStorage.get(KEY) === attempt || !(await isServed(target))) return false;
  tabStorage.set(KEY, attempt);
  window.location.assign(target);
  return true;
}

async function isServed(target: string): Promise<boolean> {
  try {
    return (await fetch(target, { cache: 'no-store', headers: { accept: 'text/html' } })).ok;
  } catch {
    return false;
  }
}
