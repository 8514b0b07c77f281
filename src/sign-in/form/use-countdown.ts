import { useEffect, useState } from 'react';

/** Whole seconds that are left of `seconds`, counted from the start or from the last call of the second. */
export function useCountdown(seconds: number): readonly [left: number, restart: () => void] {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, () => setLeft(seconds)];
}
