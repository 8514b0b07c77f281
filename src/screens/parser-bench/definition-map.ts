import { isMap, isScalar, isSeq, type Node } from 'yaml';

import { parseYaml } from '#commands/nouns/data/parser/yaml.ts';

/** Lines of a definition, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface DefinitionField {
  /** The lines of a definition that declare it. */
  readonly lines?: LineRange;
  /** The field of a simple parser that declares it, as `keyOfPart` returns it. */
  readonly part?: string;
  /** `u2`, or the name of a type in the definition. */
  readonly type: string | undefined;
  /** The fields next to it that its value is computed from. */
  readonly sources: readonly string[];
}

/** A definition, as far as it can be read while someone types it. */
export interface DefinitionMap {
  /** Returns the field that a path of a result, or its closest parent, is declared by. */
  field(path: string): DefinitionField | undefined;
}

/** Reads which lines of a definition declare which fields. */
export function mapDefinition(text: string): DefinitionMap {
  const document = parseYaml(text);
  if (!document) return { field: () => undefined };
  const linesOf = (first: Node, last: Node): LineRange => {
    const from = document.lineAt(first.range?.[0] ?? 0);
    // The end of a value includes the line break after it.
    return { from, to: Math.max(from, document.lineAt(Math.max((last.range?.[1] ?? 1) - 1, 0))) };
  };

  /** Declared fields of a type, by id. */
  const declared = (type: unknown): Map<string, { readonly first: Node; readonly attribute: Node }> => {
    const fields = new Map<string, { readonly first: Node; readonly attribute: Node }>();
    if (!isMap(type)) return fields;
    const seq = type.get('seq', true) as unknown;
    for (const attribute of isSeq(seq) ? seq.items : []) {
      const id = isMap(attribute) ? attribute.get('id') : undefined;
      if (typeof id === 'string' && isMap(attribute)) fields.set(id, { first: attribute, attribute });
    }
    const instances = type.get('instances', true) as unknown;
    for (const { key, value } of isMap(instances) ? instances.items : []) {
      if (isScalar(key) && isMap(value)) fields.set(String(key.value), { first: key, attribute: value });
    }
    return fields;
  };

  return {
    field(path) {
      const names = path.split('.').map((part) => part.replace(/\[.*$/, ''));
      let scopes: readonly unknown[] = [document.contents];
      let innermost: DefinitionField | undefined;
      for (const name of names) {
        const fields = declared(scopes[0]);
        const field = fields.get(name);
        if (!field || !isMap(field.attribute)) return innermost;
        const type: unknown = field.attribute.get('type');
        const value: unknown = field.attribute.get('value');
        const words = typeof value === 'string' ? (value.match(/[a-z][a-z0-9_]*/g) ?? []) : [];
        innermost = {
          lines: linesOf(field.first, field.attribute),
          type: typeof type === 'string' ? type : undefined,
          sources: [...new Set(words)].filter((word) => word !== name && fields.has(word)),
        };
        const innerType = typeof type === 'string' ? typeNamed(scopes, type.replace(/\(.*$/, '')) : undefined;
        if (!innerType) return innermost;
        scopes = [innerType, ...scopes];
      }
      return innermost;
    },
  };
}

/** Finds a type in the innermost type that declares it. */
function typeNamed(scopes: readonly unknown[], name: string): unknown {
  for (const scope of scopes) {
    const types = isMap(scope) ? (scope.get('types', true) as unknown) : undefined;
    const type = isMap(types) ? (types.get(name, true) as unknown) : undefined;
    if (isMap(type)) return type;
  }
  return undefined;
}
