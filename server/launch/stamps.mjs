// Stamps each output with a SHA-256 of the names and contents of its sources, stored in dist/<output>.sha256.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns an absolute path.
 *
 * @param {string} path a path relative to the repository's root
 */
export const inRoot = (path) => join(root, path);

/**
 * True for files that are generated, created by the system, or used only by tests.
 *
 * @param {string} path
 */
const isIgnored = (path) => path === 'proto/gen' || /\.test\.tsx?$|(^|\/)\.DS_Store$/.test(path);

/**
 * Lists a file, or the files in a folder, in a stable order.
 *
 * @param {string} path
 * @returns {string[]} paths relative to the root
 */
function filesUnder(path) {
  if (isIgnored(path) || !existsSync(inRoot(path))) return [];
  if (!statSync(inRoot(path)).isDirectory()) return [path];
  const names = readdirSync(inRoot(path)).toSorted();
  return names.flatMap((name) => filesUnder(`${path}/${name}`));
}

/**
 * Returns the settings in the environment that Vite builds into the console, such as VITE_API_URL.
 *
 * @returns {string[]}
 */
const buildSettings = () =>
  Object.entries(process.env)
    .filter(([name]) => name.startsWith('VITE_'))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();

/**
 * Hashes sources and the build settings.
 *
 * @param {readonly string[]} sources files and folders, relative to the root
 */
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

/**
 * Returns the path of an output's stamp.
 *
 * @param {string} output
 */
const stampPath = (output) => inRoot(`dist/${output}.sha256`);

/**
 * Checks whether an output was built from the current sources.
 *
 * @param {{ name: string, artifact: string, from: readonly string[] }} output `artifact` is the file that must exist
 * @returns {boolean}
 */
export function isCurrent({ name, artifact, from }) {
  if (!existsSync(inRoot(artifact)) || !existsSync(stampPath(name))) return false;
  return readFileSync(stampPath(name), 'utf8') === digest(from);
}

/**
 * Deletes a stamp. Call it before a build, so an interrupted build does not count as current.
 *
 * @param {string} name
 */
export const deleteStamp = (name) => rmSync(stampPath(name), { force: true });

/**
 * Stamps an output after its build.
 *
 * @param {{ name: string, from: readonly string[] }} output
 */
export function writeStamp({ name, from }) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), digest(from));
}
