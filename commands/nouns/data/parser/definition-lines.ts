import { isMap, isScalar, isSeq, type Node } from 'yaml';

import { parseYaml, type YamlDocument } from './yaml.ts';

// Load this module on demand, like the YAML parser.

/** Lines of a definition, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A field that a type declares, and its first node, which is the key of an instance. */
interface DeclaredField {
  readonly first: Node;
  readonly attribute: Node;
}

/** Returns the declared fields of a type, by id. */
export function declaredFields(type: unknown): ReadonlyMap<string, DeclaredField> {
  const fields = new Map<string, DeclaredField>();
  if (!isMap(type)) return fields;
  const seq = type.get('seq', true) as unknown;
  for (const attribute of isSeq(seq) ? seq.items : []) {
    const id = isMap(attribute) ? attribute.get('id') : undefined;
    if (typeof id === 'string' && isMap(attribute)) fields.set(id, { first: attribute, attribute });
  }
  for (const [name, key, value] of entriesOf(type, 'instances')) {
    if (isMap(value)) fields.set(name, { first: key, attribute: value });
  }
  return fields;
}

function entriesOf(type: unknown, name: string): readonly (readonly [name: string, key: Node, value: unknown])[] {
  const map = isMap(type) ? (type.get(name, true) as unknown) : undefined;
  return isMap(map)
    ? map.items.flatMap(({ key, value }) => (isScalar(key) ? [[String(key.value), key, value]] : []))
    : [];
}

/** Returns the lines from the start of a node to the end of another. */
export function linesOf(document: YamlDocument, first: Node, last: Node): LineRange {
  const from = document.lineAt(first.range?.[0] ?? 0);
  // The end of a value includes the line break after it.
  return { from, to: Math.max(from, document.lineAt(Math.max((last.range?.[1] ?? 1) - 1, 0))) };
}

/**
 * Returns a function from a line, counted from 1, to the field that it belongs to, such as `level` or, in a type,
 * `body.level`. Other lines belong to a part of the definition, such as `meta`.
 */
export function fieldLines(definition: string): (line: number) => string | undefined {
  const document = parseYaml(definition);
  if (!document) return () => undefined;
  const parts: { readonly name: string; readonly lines: LineRange }[] = [];
  const add = (name: string, first: Node, last: unknown): void => {
    if (isNode(last)) parts.push({ name, lines: linesOf(document, first, last) });
  };
  const addFields = (type: unknown, path: string): void => {
    for (const [id, { first, attribute }] of declaredFields(type)) add(`${path}${id}`, first, attribute);
    for (const [name, key, inner] of entriesOf(type, 'types')) {
      add(`${path}${name}`, key, inner);
      addFields(inner, `${path}${name}.`);
    }
  };
  for (const { key, value } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key)) add(String(key.value), key, value);
  addFields(document.contents, '');
  // Inner parts come after the outer ones.
  return (line) => parts.findLast(({ lines }) => lines.from <= line && line <= lines.to)?.name;
}

const isNode = (value: unknown): value is Node => isMap(value) || isSeq(value) || isScalar(value);
