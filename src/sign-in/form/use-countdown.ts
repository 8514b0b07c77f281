import { useEffect, useState } from 'react';

/** Counts down whole seconds from `seconds`, starting on mount and on each call to `restart`. */
export function useCountdown(seconds: number): readonly [remaining: number, restart: () => void] {
  const [remaining, setRemaining] = useState(seconds);
  useEffect(() => {
    if (remaining === 0) return undefined;
    const timer = setTimeout(() => setRemaining(remaining - 1), 1000);
    return () => clearTimeout(timer);
  }, [remaining]);
  return [remaining, () => setRemaining(seconds)];
}
