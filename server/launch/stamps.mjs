// What was made from which sources: a SHA-256 over names and contents, kept in dist/<output>.sha256.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} path a path relative to the repository's root */
export const inRoot = (path) => join(root, path);

/** Written by us or by nobody's hand, or read by tests only. @param {string} path */
const ignored = (path) => path === 'proto/gen' || /\.test\.tsx?$|(^|\/)\.DS_Store$/.test(path);

/** @param {string} path @returns {string[]} the files at or under it, relative to the root, in a stable order */
function filesUnder(path) {
  if (ignored(path) || !existsSync(inRoot(path))) return [];
  if (!statSync(inRoot(path)).isDirectory()) return [path];
  const names = readdirSync(inRoot(path)).toSorted();
  return names.flatMap((name) => filesUnder(`${path}/${name}`));
}

/**
 * What Vite builds into the console from the environment (VITE_API_URL and its like).
 *
 * @returns {string[]}
 */
const buildSettings = () =>
  Object.entries(process.env)
    .filter(([name]) => name.startsWith('VITE_'))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();

/** @param {readonly string[]} sources files and folders, relative to the root */
export function digest(sources) {
  const hash = createHash('sha256').update(buildSettings().join('\0'));
  for (const file of sources.flatMap(filesUnder)) {
    hash
      .update(`${relative(root, inRoot(file))}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} output */
const stampOf = (output) => inRoot(`dist/${output}.sha256`);

/**
 * @param {{ name: string, made: string, from: readonly string[] }} output `made` is the file that must exist
 * @returns {boolean}
 */
export function isCurrent({ name, made, from }) {
  if (!existsSync(inRoot(made)) || !existsSync(stampOf(name))) return false;
  return readFileSync(stampOf(name), 'utf8') === digest(from);
}

/** To be called before the work begins, so that work broken off halfway does not count. @param {string} name */
export const forget = (name) => rmSync(stampOf(name), { force: true });

/** @param {{ name: string, from: readonly string[] }} output */
export function remember({ name, from }) {
  mkdirSync(dirname(stampOf(name)), { recursive: true });
  writeFileSync(stampOf(name), digest(from));
}
