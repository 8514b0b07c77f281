import { useEffect, useState } from 'react';

import type { AnyEntity } from '#commands/core/entity';
import { complete, type Completions } from '#commands/query/complete';

import { report } from '../data/report.ts';
import { contextNow } from '../host/context.ts';

const NONE: Completions = { from: 0, to: 0, suggestions: [] };

/** What could be typed at the end of `typing`. The list stays while the next one is looked up, so that it does not blink. */
export function useCompletions(entity: AnyEntity, typing: string, enabled: boolean): Completions {
  const [found, setFound] = useState<Completions & { readonly typing: string }>({ ...NONE, typing: '' });
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    complete(typing, typing.length, entity, contextNow({ signal: abort.signal })).then(
      (completions) => {
        if (!abort.signal.aborted) setFound({ ...completions, typing });
      },
      // Completion is a convenience: the filter can be typed without it.
      (error: unknown) => report(error),
    );
    return () => abort.abort();
  }, [entity, typing, enabled]);
  if (!enabled || found.typing !== typing) return NONE;
  // What is typed already is no completion of it.
  const rest = typing.slice(found.from);
  return { ...found, suggestions: found.suggestions.filter(({ value }) => value !== rest) };
}
