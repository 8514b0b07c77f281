import { useEffect, useLayoutEffect, useRef } from 'react';

import { holdKeys, type KeyHold } from '#src/state/key-queue.ts';

/**
 * While `isHeld`, holds the keystrokes that follow a pending Enter. They go to the next step (another prompt, another
 * text, a typed confirmation), or to the palette's destination when the palette closes. They are dropped if Enter leads
 * to no new step, or to the last step, a plan without a typed confirmation (`undefined`).
 */
export function useKeyHold(isHeld: boolean, step: string | undefined): void {
  const hold = useRef<{ readonly step: string | undefined; readonly keys: KeyHold }>(undefined);
  useLayoutEffect(() => {
    if (isHeld) {
      hold.current ??= { step, keys: holdKeys() };
      return;
    }
    const { current } = hold;
    hold.current = undefined;
    if (step !== undefined && current?.step !== step) current?.keys.release();
    else current?.keys.drop();
  }, [isHeld, step]);
  useEffect(() => () => hold.current?.keys.release(), []);
}
