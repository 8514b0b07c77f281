import { useEffect, useEffectEvent } from 'react';

/**
 * Calls the handler once for each value, unless the value changes first. Calls it after the effect, because the handler
 * can set state or run a command that closes the component with `flushSync`.
 */
export function useWhenSet<T>(value: T | undefined, handle: (value: T) => void): void {
  const handleLatest = useEffectEvent(handle);
  useEffect(() => {
    if (value === undefined) return undefined;
    let isCurrent = true;
    queueMicrotask(() => {
      if (isCurrent) handleLatest(value);
    });
    return () => {
      isCurrent = false;
    };
  }, [value]);
}
