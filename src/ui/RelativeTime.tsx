import { useSyncExternalStore } from 'react';

import { formatAge, formatAgeInText } from '#commands/text/age.ts';

import { clockNow, subscribeClock } from './clock.ts';
import { tip } from './tip.ts';

interface RelativeTimeProps {
  /** In ms since the epoch. */
  readonly time: number;
  /** The time in the user's format. */
  readonly exactTime?: string;
  /** True within a text, where the age is not compared with others. */
  readonly isInText?: boolean;
}

/** The age of `time`: "30 h 58 m". */
export function RelativeTime({ time, exactTime, isInText = false }: RelativeTimeProps) {
  const now = useSyncExternalStore(subscribeClock, clockNow);
  const format = isInText ? formatAgeInText : formatAge;
  return (
    <time dateTime={new Date(time).toISOString()} {...tip(exactTime)}>
      {format(now - time)}
    </time>
  );
}
