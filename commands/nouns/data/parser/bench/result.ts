import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import { valueAt } from '#commands/text/field-path.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';

import { shownValue, type DeclaredLabels } from './labels.ts';

/** A line of a result's tree. */
export interface ResultNode {
  /** `sensors[0].level` */
  readonly path: string;
  /** The last part of the path: `level`, `[0]`. */
  readonly name: string;
  readonly depth: number;
  /** The value as text. Undefined for a node with children. */
  readonly text: string | undefined;
  /** The symbol of its unit. */
  readonly unit: string;
  /** The value in the unit and format that its field declares. Absent unless the user prefers others. */
  readonly declared?: string;
  /** The declared field that the node is the value of. */
  readonly field: Field | undefined;
}

/** Returns the lines of a result, each parent before its children. */
export function resultNodes(result: JsonObject, labels: DeclaredLabels): readonly ResultNode[] {
  const nodes: ResultNode[] = [];
  const add = (value: JsonValue, path: string, name: string, depth: number): void => {
    const field = labels.fields.get(path);
    const children = childrenOf(value, path);
    const shown = children === undefined ? shownValue(value, path, labels) : { text: undefined, unit: '' };
    nodes.push({ path, name, depth, ...shown, field });
    for (const child of children ?? []) add(child.value, child.path, child.name, depth + 1);
  };
  for (const child of childrenOf(result, '') ?? []) add(child.value, child.path, child.name, 0);
  return nodes;
}

interface Child {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

function childrenOf(value: JsonValue, path: string): readonly Child[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return value.map((item, index) => ({ name: `[${index}]`, path: `${path}[${index}]`, value: item }));
  }
  return Object.entries(value).map(([name, item]) => ({
    name,
    path: path === '' ? name : `${path}.${name}`,
    value: item,
  }));
}

/** Returns the declared fields that are missing from a result. The server then rejects the result (contract: Field). */
export function missingFields(declaredFields: readonly Field[], fields: JsonObject): readonly string[] {
  return declaredFields
    .filter(({ field, optional }) => !optional && (valueAt(fields, field) ?? null) === null)
    .map(({ field }) => field);
}
