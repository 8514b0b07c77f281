import { isMap, isScalar, isSeq } from 'yaml';

import { nearestNames } from '#commands/text/near.ts';

import { parseYaml } from './yaml.ts';

// Reads the outline of a Kaitai Struct definition for plans and suggestions. The server compiles definitions. Load this
// module on demand: the YAML parser is larger than all commands of parsers.

/** A summary of a definition. */
interface Outline {
  /** `meta/title`, or else `meta/id`. */
  readonly title: string | undefined;
  /** The fields of its results: the attributes of the outermost `seq`, then its instances. */
  readonly fields: readonly string[];
}

/** Reads a definition in any style of YAML. Whatever cannot be read is left out. */
export function parseOutline(definition: string): Outline {
  const type = parseYaml(definition)?.contents;
  const meta = entryOf(type, 'meta');
  const seq = entryOf(type, 'seq');
  const ids = isSeq(seq) ? seq.items.map((attribute) => textOf(attribute, 'id')) : [];
  return {
    title: textOf(meta, 'title') ?? textOf(meta, 'id'),
    fields: [...ids.filter((id) => id !== undefined), ...keysOf(entryOf(type, 'instances'))],
  };
}

const entryOf = (node: unknown, key: string): unknown => (isMap(node) ? node.get(key, true) : undefined);

function textOf(node: unknown, key: string): string | undefined {
  const entry = entryOf(node, key);
  const value = isScalar(entry) ? entry.value : undefined;
  // A name such as 2024 is a number to YAML.
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() || undefined : undefined;
}

const keysOf = (node: unknown): readonly string[] =>
  isMap(node) ? node.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) : [];

/** The fields that a new definition adds and removes. */
export function fieldChanges(before: string, after: string): { added: readonly string[]; removed: readonly string[] } {
  const [old, next] = [parseOutline(before).fields, parseOutline(after).fields];
  return { added: next.filter((name) => !old.includes(name)), removed: old.filter((name) => !next.includes(name)) };
}

const TYPES: readonly string[] = [
  ...['u', 's'].flatMap((sign) => ['1', '2', '4', '8'].map((size) => `${sign}${size}`)),
  ...['u', 's'].flatMap((sign) => ['2', '4', '8'].flatMap((size) => [`${sign}${size}le`, `${sign}${size}be`])),
  'f4',
  'f8',
  'f4le',
  'f4be',
  'f8le',
  'f8be',
  'str',
  'strz',
  'b1',
  'b4',
  'b8',
];

/** Returns the types that the server's message about an unknown type may mean, the most similar first. */
export function nearTypes(problem: string, definition: string): readonly string[] {
  const [, type] = /unable to find type ['“"]([^'”"]+)['”"]/i.exec(problem) ?? [];
  if (type === undefined) return [];
  const ownTypes = keysOf(entryOf(parseYaml(definition)?.contents, 'types'));
  const nearTypeNames = nearestNames(type, [...ownTypes, ...TYPES], 3);
  // A name such as `u3` is too short to be similar to another, but its letter shows what was meant.
  return nearTypeNames.length > 0 ? nearTypeNames : TYPES.filter((name) => /^.\d$/.test(name) && name[0] === type[0]);
}
