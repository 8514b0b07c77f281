import { useEffect, useState } from 'react';

/** Whether something has been so for `ms` without a break: what is over sooner would only flicker. */
export function useLasting(isSo: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  if (!isSo && lasts) setLasts(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && lasts;
}
