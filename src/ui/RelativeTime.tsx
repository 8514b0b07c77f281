import { useSyncExternalStore } from 'react';
import { formatAge } from '#commands/text/age';

import { clockNow, subscribeClock } from './clock.ts';

/** How long ago `at` (ms since the epoch) was: "30 h 58 m". `title` is the exact time in the user's format. */
export function RelativeTime({ at, title }: { at: number; title?: string }) {
  const now = useSyncExternalStore(subscribeClock, clockNow);
  return (
    <time dateTime={new Date(at).toISOString()} title={title}>
      {formatAge(now - at)}
    </time>
  );
}
