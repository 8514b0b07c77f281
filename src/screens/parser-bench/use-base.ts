import { useState } from 'react';

interface Base {
  /** True if someone else has saved another definition since the user began to change this one. */
  readonly isOutdated: boolean;
  /** Accepts a saved definition as the one that the draft replaces. */
  readonly accept: (saved: string | undefined) => void;
}

/**
 * Remembers the saved definition that a draft changes. The bench follows what others save, so without this, the next
 * save would replace their work unnoticed.
 */
export function useBase(saved: string | undefined, isChanged: boolean): Base {
  const [base, setBase] = useState(saved);
  // Without changes, there is nothing to lose.
  if (!isChanged && base !== saved) setBase(saved);
  return { isOutdated: isChanged && base !== saved, accept: setBase };
}
