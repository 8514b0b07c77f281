import { isMap } from 'yaml';

import { declaredFields, linesOf, type LineRange } from '#commands/nouns/data/parser/definition-lines.ts';
import { parseYaml } from '#commands/nouns/data/parser/yaml.ts';

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
  return {
    field(path) {
      const names = path.split('.').map((part) => part.replace(/\[.*$/, ''));
      let scopes: readonly unknown[] = [document.contents];
      let innermost: DefinitionField | undefined;
      for (const name of names) {
        const fields = declaredFields(scopes[0]);
        const field = fields.get(name);
        if (!field || !isMap(field.attribute)) return innermost;
        const type: unknown = field.attribute.get('type');
        const value: unknown = field.attribute.get('value');
        const words = typeof value === 'string' ? (value.match(/[a-z][a-z0-9_]*/g) ?? []) : [];
        innermost = {
          lines: linesOf(document, field.first, field.attribute),
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
