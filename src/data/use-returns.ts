import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

import { onReturn, returnsNow } from '#src/net/reach.ts';

/** How often the server came back: a dependency for loads that would otherwise stay failed until the next keystroke. */
export const useReturns = (): number => useSyncExternalStore(onReturn, returnsNow);

/** Calls `action` whenever the server has come back since the first render, even if that was before the effects ran. */
export function useOnReturn(action: () => void): void {
  const returns = useReturns();
  const handled = useRef(returns);
  const runAction = useEffectEvent(action);
  useEffect(() => {
    if (returns === handled.current) return;
    handled.current = returns;
    runAction();
  }, [returns]);
}
