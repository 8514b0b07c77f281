import { useEffect, useEffectEvent, useState } from 'react';

import { report } from '#src/net/report.ts';

export type LoadResult<Value> = { readonly value: Value } | { readonly error: unknown };

/** Loads data once, on mount. Returns undefined until it has loaded or failed. */
export function useLoadOnce<Value>(load: () => Promise<Value>): LoadResult<Value> | undefined {
  const [result, setResult] = useState<LoadResult<Value>>();
  const start = useEffectEvent(load);
  useEffect(() => {
    let isUnmounted = false;
    start().then(
      (value) => !isUnmounted && setResult({ value }),
      (error: unknown) => !isUnmounted && setResult({ error }),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return result;
}

/** Loads optional data once, on mount. Reports a failure, but does not show it. */
export function useOptionalData<Value>(load: () => Promise<Value>): Value | undefined {
  const content = useLoadOnce(() => load().catch(report));
  return content && 'value' in content ? (content.value ?? undefined) : undefined;
}
