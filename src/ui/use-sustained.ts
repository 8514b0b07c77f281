import { useEffect, useState } from 'react';

/** True once `condition` has held for `ms` without interruption, to avoid flicker. */
export function useSustained(condition: boolean, ms: number): boolean {
  const [isSustained, setIsSustained] = useState(false);
  if (!condition && isSustained) setIsSustained(false);
  useEffect(() => {
    if (!condition) return undefined;
    const timer = setTimeout(() => setIsSustained(true), ms);
    return () => clearTimeout(timer);
  }, [condition, ms]);
  return condition && isSustained;
}
