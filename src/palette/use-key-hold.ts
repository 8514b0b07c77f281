import { useEffect, useLayoutEffect, useRef } from 'react';

import { holdKeys, type KeyHold } from '#src/state/arrival.ts';

/**
 * Keeps what is pressed after an Enter that still waits, while `held`. It goes to the next step (another question,
 * another text, what has to be typed to confirm), or to where the palette leads when it closes. An Enter that led to no
 * step, or to the last one (undefined: a plan that has to be looked at), drops it: it was not meant for that.
 */
export function useKeyHold(held: boolean, step: string | undefined): void {
  const hold = useRef<{ readonly step: string | undefined; readonly keys: KeyHold }>(undefined);
  useLayoutEffect(() => {
    if (held) {
      hold.current ??= { step, keys: holdKeys() };
      return;
    }
    const { current } = hold;
    hold.current = undefined;
    if (step !== undefined && current?.step !== step) current?.keys.release();
    else current?.keys.drop();
  }, [held, step]);
  useEffect(() => () => hold.current?.keys.release(), []);
}
