import { useMemo } from 'react';

import type { TraceFailure } from '#commands/nouns/data/parser/bench/trace.ts';
import type { SimplePart, SimpleProblem } from '#commands/nouns/data/parser/simple-problems.ts';
import { message } from '#commands/text/message.ts';
import type { SimpleModemMessageBodyParser as SimpleParser } from '#proto/gen/hiber/parser_pb.ts';

import type { DefinitionMap } from './definition-map.ts';
import { positionOf, sectionsOf } from './fields/model.ts';

interface Parts {
  /** Returns the first path whose value a field of the form declares. */
  readonly pathOf: (part: string) => string | undefined;
  /** Returns the problem of a message at the field that couldn't be read, or of the definition at its cause. */
  readonly problemsOf: (failure: TraceFailure | undefined, parser: SimpleParser) => readonly SimpleProblem[];
}

/** Finds the values of the fields of the form. */
export function useParts(definition: DefinitionMap, paths: readonly string[]): Parts {
  const pathsByPart = useMemo(() => {
    const firstPaths = new Map<string, string>();
    for (const path of paths) {
      const part = definition.field(path)?.part;
      if (part !== undefined && !firstPaths.has(part)) firstPaths.set(part, path);
    }
    return firstPaths;
  }, [definition, paths]);
  return {
    pathOf: (part) => pathsByPart.get(part),
    problemsOf: (failure, parser) => {
      if (!failure) return [];
      const part = failure.path === undefined ? undefined : definition.field(failure.path)?.part;
      const position = part === undefined ? undefined : positionOf(part);
      const isDefinition = failure.line !== undefined;
      const found = isDefinition ? encodingPart(parser, failure.error) : position;
      if (!found) return [];
      return [{ ...found, message: message('parser:validation.definition', { text: failure.error }) }];
    },
  };
}

/** Returns the part whose encoding a server's message quotes, or else the whole parser. */
function encodingPart(parser: SimpleParser, error: string): SimplePart & Pick<SimpleProblem, 'isEncoding'> {
  const isQuoted = (encoding: string): boolean => encoding.trim() !== '' && error.includes(`"${encoding.trim()}"`);
  for (const { types, type } of sectionsOf(parser)) {
    if (isQuoted(type.defaultTextEncoding)) return { types, isEncoding: true };
    const field = type.fields.findIndex((item) => item.type.case === 'string' && isQuoted(item.type.value.encoding));
    if (field >= 0) return { types, field, isEncoding: true };
  }
  return { types: [] };
}
