// Checks that node_modules matches the lockfile. npm writes a lockfile of the installed packages last, so the check
// detects an interrupted, outdated, or manual installation.
import { existsSync, readFileSync } from 'node:fs';

import { inRoot } from './stamps.mjs';

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} Package */

/**
 * Reads the packages in a lockfile.
 *
 * @param {string} path
 * @returns {Record<string, Package>}
 */
function packagesIn(path) {
  if (!existsSync(inRoot(path))) return {};
  const { packages } = /** @type {{ packages: Record<string, Package> }} */ (
    JSON.parse(readFileSync(inRoot(path), 'utf8'))
  );
  return packages;
}

/** True if all packages are installed. Optional packages for other platforms may be absent and have no checksum. */
export function packagesAreCurrent() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(([path, locked]) => {
    if (path === '') return true;
    const actual = installed[path];
    return actual === undefined
      ? locked.optional === true && existsSync(inRoot('node_modules/.package-lock.json'))
      : actual.version === locked.version && [undefined, actual.integrity].includes(locked.integrity);
  });
}
