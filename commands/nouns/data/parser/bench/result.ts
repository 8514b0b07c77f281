import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import { canonicalPath, valueAt } from '#commands/text/field-path.ts';
import { formatNumber } from '#commands/units/format.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';

/** A line of a result's tree. */
export interface ResultNode {
  /** `sensors[0].level` */
  readonly path: string;
  /** The last part of the path: `level`, `[0]`. */
  readonly name: string;
  readonly depth: number;
  /** The value as text. Undefined for a node with children. */
  readonly text: string | undefined;
  /** The symbol of its unit, as declared by its field. */
  readonly unit: string;
  /** The declared field that the node is the value of. */
  readonly field: Field | undefined;
}

/** Returns the lines of a result, each parent before its children. Declared fields decide the units and formats. */
export function resultNodes(fields: JsonObject, declaredFields: readonly Field[]): readonly ResultNode[] {
  const byPath = new Map(declaredFields.map((field) => [canonicalPath(field.field), field]));
  const nodes: ResultNode[] = [];
  const add = (value: JsonValue, path: string, name: string, depth: number): void => {
    const field = byPath.get(path);
    const children = childrenOf(value, path);
    const text = children === undefined ? valueText(value, field) : undefined;
    nodes.push({ path, name, depth, text, unit: text === undefined ? '' : unitOf(field), field });
    for (const child of children ?? []) add(child.value, child.path, child.name, depth + 1);
  };
  for (const child of childrenOf(fields, '') ?? []) add(child.value, child.path, child.name, 0);
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

function valueText(value: JsonValue, field: Field | undefined): string {
  const { details } = field ?? {};
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (details?.case === 'numeric' && typeof value === 'number') return formatNumber(value, details.value.format);
  if (details?.case === 'enum') {
    const enumValue = details.value.values.find((candidate) => candidate.value === text);
    return enumValue?.displayName || text;
  }
  return typeof value === 'number' ? formatNumber(value) : text;
}

const unitOf = (field: Field | undefined): string =>
  field?.details.case === 'numeric' ? (field.details.value.unit?.symbol ?? '') : '';

/** Returns the declared fields that are missing from a result. The server then rejects the result (contract: Field). */
export function missingFields(declaredFields: readonly Field[], fields: JsonObject): readonly string[] {
  return declaredFields
    .filter(({ field, optional }) => !optional && (valueAt(fields, field) ?? null) === null)
    .map(({ field }) => field);
}
