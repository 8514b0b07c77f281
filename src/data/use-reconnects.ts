import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

import { onReconnect, reconnectCount } from '#src/net/reach.ts';

/** Counts how often the server has become reachable again, as a dependency for effects that retry failed loads. */
export const useReconnectCount = (): number => useSyncExternalStore(onReconnect, reconnectCount);

/**
 * Calls `action` whenever the server becomes reachable again after the first render, even if that is before the effects
 * run.
 */
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
