import { useEffect, useState } from 'react';

import { onReturn } from '#src/net/reach.ts';

/** How often the server came back: what failed while it was away would otherwise stay until the next key. */
export function useReturns(): number {
  const [returns, setReturns] = useState(0);
  useEffect(() => onReturn(() => setReturns((before) => before + 1)), []);
  return returns;
}
