import { useEffect, useLayoutEffect, useRef } from 'react';

import { holdKeys, type KeyHold } from '#src/state/key-queue.ts';

/**
 * While `isHeld`, holds the keys typed after Enter. If Enter leads to a new step, they go to that step. If it doesn't,
 * or if the new step takes no input, they are dropped. If the palette closes, they go to the focused element.
 *
 * @param step identifies the current step, or is undefined if the step takes no input, such as a plan to look at
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
