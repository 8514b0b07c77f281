import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

import { onReconnect, reconnectCount } from '#src/net/reach.ts';

/** Returns how often the server has come back, as a dependency that repeats failed loads. */
export const useReconnectCount = (): number => useSyncExternalStore(onReconnect, reconnectCount);

/** Calls `action` whenever the server has come back since the first render, even if that was before the effects ran. */
export function useOnReconnect(action: () => void): void {
  const reconnects = useReconnectCount();
  const handled = useRef(reconnects);
  const runAction = useEffectEvent(action);
  useEffect(() => {
    if (reconnects === handled.current) return;
    handled.current = reconnects;
    runAction();
  }, [reconnects]);
}
