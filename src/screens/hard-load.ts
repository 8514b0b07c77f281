import { tabStorage } from '#src/state/browser-storage.ts';

const KEY = 'quarterdeck-hard-load';

/**
 * Reloads the page at a URL after its screen failed to load. If the server responds, it has a newer build of the
 * console (spec 8). If it doesn't respond, a reload would replace the console with the browser's own error page, so
 * this does nothing.
 *
 * Tries only once per URL and build, to avoid an endless loop.
 *
 * @returns false if the page is not reloaded
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
