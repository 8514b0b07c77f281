import { useSyncExternalStore } from 'react';

import { formatAge } from '#commands/text/age.ts';

import { clockNow, subscribeClock } from './clock.ts';
import { tip } from './tip.ts';

/** The age of `at` (ms since the epoch): "30 h 58 m". `exact` is the time in the user's format. */
export function RelativeTime({ at, exact }: { at: number; exact?: string }) {
  const now = useSyncExternalStore(subscribeClock, clockNow);
  return (
    <time dateTime={new Date(at).toISOString()} {...tip(exact)}>
      {formatAge(now - at)}
    </time>
  );
}
