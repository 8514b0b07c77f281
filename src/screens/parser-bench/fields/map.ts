import { typeText } from '#commands/nouns/data/parser/simple-fields.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import type { SimpleModemMessageBodyParser as SimpleParser } from '#proto/gen/hiber/parser_pb.ts';

import type { DefinitionField, DefinitionMap } from '../definition-map.ts';
import { keyOfPart, type Section } from './model.ts';

/** Finds which field of the form declares which field of a result. */
export function mapSimple(parser: SimpleParser): DefinitionMap {
  return {
    field(path) {
      let scopes: readonly Section[] = [{ types: [], type: parser }];
      let found: DefinitionField | undefined;
      for (const name of path.split('.').map((part) => part.replace(/\[.*$/, ''))) {
        const { types, type } = scopes[0]!;
        const index = type.fields.findIndex((field) => reduceName(field.name) === name);
        const field = type.fields[index];
        if (!field) return found;
        found = { part: keyOfPart({ types, field: index }), type: typeText(field), sources: [] };
        const innerType = field.type.case === 'customType' ? sectionNamed(scopes, field.type.value) : undefined;
        if (!innerType) return found;
        scopes = [innerType, ...scopes];
      }
      return found;
    },
  };
}

/** Finds a custom type in the innermost type that declares it. */
function sectionNamed(scopes: readonly Section[], name: string): Section | undefined {
  for (const { types, type } of scopes) {
    const index = type.customTypes.findIndex((customType) => reduceName(customType.name) === reduceName(name));
    if (index >= 0) return { types: [...types, index], type: type.customTypes[index]! };
  }
  return undefined;
}
