import { useMemo } from 'react';

import type { SimpleProblem } from '#commands/nouns/data/parser/simple-problems.ts';
import { message } from '#commands/text/message.ts';

import type { DefinitionMap } from './definition-map.ts';
import { positionOf } from './fields/model.ts';

interface Parts {
  /** Returns the first path whose value a field of the form declares. */
  readonly pathOf: (part: string) => string | undefined;
  /** Returns the problem of a message at the field that couldn't be read. */
  readonly problemsOf: (
    failure: { readonly error: string; readonly path?: string | undefined } | undefined,
  ) => readonly SimpleProblem[];
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
    problemsOf: (failure) => {
      const part = failure?.path === undefined ? undefined : definition.field(failure.path)?.part;
      const position = part === undefined ? undefined : positionOf(part);
      if (!failure || !position) return [];
      return [{ ...position, message: message('parser:validation.definition', { text: failure.error }) }];
    },
  };
}
