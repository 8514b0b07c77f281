import { useEffect, useEffectEvent, useState } from 'react';

import { report } from '#src/net/report.ts';

export type Loaded<Value> = { readonly value: Value } | { readonly error: unknown };

/** What a screen loads once, as it appears; undefined until that came or failed. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> | undefined {
  const [loaded, setLoaded] = useState<Loaded<Value>>();
  const start = useEffectEvent(load);
  useEffect(() => {
    let gone = false;
    start().then(
      (value) => !gone && setLoaded({ value }),
      (error: unknown) => !gone && setLoaded({ error }),
    );
    return () => {
      gone = true;
    };
  }, []);
  return loaded;
}

/** The same for what a screen does without where it cannot be loaded: that is reported, and nothing is said. */
export function useExtra<Value>(load: () => Promise<Value>): Value | undefined {
  const loaded = useLoaded(() => load().catch(report));
  return loaded && 'value' in loaded ? (loaded.value ?? undefined) : undefined;
}
