// Whether node_modules holds what the lockfile asks for. npm keeps a lockfile of what it put there, written last, so
// an installation broken off, an older one and one made by hand are all told apart.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './stamps.mjs';

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} Package */

/** @param {string} path @returns {Record<string, Package>} */
function packagesIn(path) {
  if (!existsSync(inRoot(path))) return {};
  const { packages } = /** @type {{ packages: Record<string, Package> }} */ (
    JSON.parse(readFileSync(inRoot(path), 'utf8'))
  );
  return packages;
}

/** Optional packages are for one platform or another and may be absent; those of other platforms have no checksum. */
export function packagesAreCurrent() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined
      ? wanted.optional === true && existsSync(inRoot('node_modules/.package-lock.json'))
      : found.version === wanted.version && [undefined, found.integrity].includes(wanted.integrity);
  });
}
