import { useSyncExternalStore } from 'react';

import { formatAge } from '#commands/text/age.ts';

import { clockNow, subscribeClock } from './clock.ts';
import { tip } from './tip.ts';

/** The age of `time` (ms since the epoch): "30 h 58 m". `exact` is the time in the user's format. */
export function RelativeTime({ time, exactTime }: { time: number; exactTime?: string }) {
  const now = useSyncExternalStore(subscribeClock, clockNow);
  return (
    <time dateTime={new Date(time).toISOString()} {...tip(exactTime)}>
      {formatAge(now - time)}
    </time>
  );
}
