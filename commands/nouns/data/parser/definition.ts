import { nearestNames } from '#commands/text/near.ts';

// Reads the outline of a Kaitai Struct definition for plans and suggestions. The server compiles definitions.

/** A summary of a definition. */
interface Outline {
  /** `meta/title`, or else `meta/id`. */
  readonly title: string | undefined;
  /** The fields of its results: the attributes of the outermost `seq`, then its instances. */
  readonly fields: readonly string[];
  readonly lineCount: number;
}

const ENTRY = /^(\s*)(- )?\s*(?:'([^']+)'|"([^"]+)"|([^\s:#'"][^\s:]*))\s*:\s*(.*)$/;

interface Entry {
  readonly indent: number;
  readonly isItem: boolean;
  readonly key: string;
  readonly value: string;
}

function parseEntry(line: string): Entry | undefined {
  const [, indent = '', dash, singleQuotedKey, doubleQuotedKey, unquotedKey, value = ''] = ENTRY.exec(line) ?? [];
  const key = singleQuotedKey ?? doubleQuotedKey ?? unquotedKey;
  return key === undefined
    ? undefined
    : { indent: indent.length, isItem: dash !== undefined, key, value: scalar(value) };
}

const scalar = (text: string): string =>
  text
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2');

/** Reads a definition in block style, line by line. */
export function parseOutline(definition: string): Outline {
  const lines = definition.split(/\r?\n/);
  const meta: Record<string, string> = {};
  const fields: string[] = [];
  let section = '';
  let instanceIndent: number | undefined;
  /** The indentation of the attributes of the outermost `seq`. */
  let itemIndent: number | undefined;
  for (const entry of lines.map(parseEntry)) {
    if (!entry) continue;
    const { indent, isItem, key, value } = entry;
    if (indent === 0 && !isItem) {
      section = key;
      [instanceIndent, itemIndent] = [undefined, undefined];
      continue;
    }
    if (section === 'meta' && !isItem) meta[key] ??= value;
    if (section === 'instances') {
      instanceIndent ??= indent;
      if (indent === instanceIndent) fields.push(key);
    }
    if (section === 'seq') {
      if (isItem) itemIndent ??= indent;
      const isAttribute = isItem ? indent === itemIndent : indent === (itemIndent ?? 0) + 2;
      if (key === 'id' && isAttribute && value !== '') fields.push(value);
    }
  }
  const title = meta['title'] || meta['id'] || undefined;
  return { title, fields, lineCount: definition.trimEnd() === '' ? 0 : definition.trimEnd().split('\n').length };
}

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
  const typesBlock = /^types:\s*\n((?:[ \t].*\n?|\s*\n)*)/m.exec(definition)?.[1] ?? '';
  const [first] = typesBlock.split('\n').flatMap((line) => parseEntry(line) ?? []);
  const ownTypes = typesBlock
    .split('\n')
    .flatMap((line) => parseEntry(line) ?? [])
    .filter(({ indent }) => indent === first?.indent)
    .map(({ key }) => key);
  const nearTypeNames = nearestNames(type, [...ownTypes, ...TYPES], 3);
  // A name such as `u3` is too short to be similar to another, but its letter shows what was meant.
  return nearTypeNames.length > 0 ? nearTypeNames : TYPES.filter((name) => /^.\d$/.test(name) && name[0] === type[0]);
}
