import { useEffect, useState } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import { complete, type Completions } from '#commands/query/complete.ts';

import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';

const NONE: Completions = { from: 0, to: 0, suggestions: [] };

interface Completing extends Completions {
  /**
   * Nothing completes what is typed. While it is looked up that is not known, unless what was typed before had none
   * already.
   */
  readonly hopeless: boolean;
}

/** What could be typed at the end of `typing`; nothing while it is looked up. */
export function useCompletions(entity: AnyEntity, typing: string, enabled: boolean): Completing {
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
  if (!enabled) return { ...NONE, hopeless: true };
  // What is typed already is no completion of it.
  const rest = found.typing.slice(found.from);
  const suggestions = found.suggestions.filter(({ value }) => value !== rest);
  const hopeless = suggestions.length === 0 && found.typing !== '' && typing.startsWith(found.typing);
  return found.typing === typing ? { ...found, suggestions, hopeless } : { ...NONE, hopeless };
}
