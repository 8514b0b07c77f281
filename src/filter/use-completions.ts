import { useEffect, useState } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { Completions } from '#commands/query/complete.ts';
import { useReconnectCount } from '#src/data/use-reconnects.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';

const NONE: Completions = { from: 0, to: 0, suggestions: [] };

interface CompletionState extends Completions {
  /**
   * True if there are no completions for the text. False while loading, unless the previous, shorter text had no
   * completions either.
   */
  readonly hasNoCompletions: boolean;
}

/** Imports the completion code on first use, because the filter line can show a filter without it. */
async function loadCompletions(typing: string, entity: AnyEntity, signal: AbortSignal): Promise<Completions> {
  const { complete } = await import('#commands/query/complete.ts');
  return complete(typing, typing.length, entity, contextNow({ signal }));
}

/** Loads the completions at the end of `typing`. Empty while loading. */
export function useCompletions(entity: AnyEntity, typing: string, enabled: boolean): CompletionState {
  const [result, setResult] = useState<Completions & { readonly typing: string }>({ ...NONE, typing: '' });
  const reconnects = useReconnectCount();
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    loadCompletions(typing, entity, abort.signal).then(
      (completions) => {
        if (!abort.signal.aborted) setResult({ ...completions, typing });
      },
      // Completions are optional, so the filter works without them.
      (error: unknown) => report(error),
    );
    return () => abort.abort();
  }, [entity, typing, enabled, reconnects]);
  if (!enabled) return { ...NONE, hasNoCompletions: true };
  // The complete text is not a completion of itself.
  const typedPart = result.typing.slice(result.from);
  const suggestions = result.suggestions.filter(({ value }) => value !== typedPart);
  const hasNoCompletions = suggestions.length === 0 && result.typing !== '' && typing.startsWith(result.typing);
  return result.typing === typing ? { ...result, suggestions, hasNoCompletions } : { ...NONE, hasNoCompletions };
}
