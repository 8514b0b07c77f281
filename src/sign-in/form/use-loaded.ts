import { useEffect, useEffectEvent, useState } from 'react';

import { report } from '#src/net/report.ts';

export type Loaded<Value> = { readonly value: Value } | { readonly error: unknown };

/** Loads data once, on mount; undefined until it has loaded or failed. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> | undefined {
  const [loaded, setLoaded] = useState<Loaded<Value>>();
  const start = useEffectEvent(load);
  useEffect(() => {
    let unmounted = false;
    start().then(
      (value) => !unmounted && setLoaded({ value }),
      (error: unknown) => !unmounted && setLoaded({ error }),
    );
    return () => {
      unmounted = true;
    };
  }, []);
  return loaded;
}

/** Loads optional data, like {@link useLoaded}: a failure is reported, but not shown. */
export function useOptional<Value>(load: () => Promise<Value>): Value | undefined {
  const loaded = useLoaded(() => load().catch(report));
  return loaded && 'value' in loaded ? (loaded.value ?? undefined) : undefined;
}
