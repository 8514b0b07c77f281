import { useEffect, useState } from 'react';

/** True once `condition` has held for `ms` without interruption, to avoid flicker. */
export function useSustained(condition: boolean, ms: number): boolean {
  const [sustained, setSustained] = useState(false);
  if (!condition && sustained) setSustained(false);
  useEffect(() => {
    if (!condition) return undefined;
    const timer = setTimeout(() => setSustained(true), ms);
    return () => clearTimeout(timer);
  }, [condition, ms]);
  return condition && sustained;
}
