import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

import { onReturn, returnsNow } from '#src/net/reach.ts';

/** How often the server came back: what failed while it was away would otherwise stay until the next key. */
export const useReturns = (): number => useSyncExternalStore(onReturn, returnsNow);

/** Calls `act` whenever the server came back since the first render: a return before the effects ran is not missed. */
export function useOnReturn(act: () => void): void {
  const returns = useReturns();
  const seen = useRef(returns);
  const acts = useEffectEvent(act);
  useEffect(() => {
    if (returns === seen.current) return;
    seen.current = returns;
    acts();
  }, [returns]);
}
