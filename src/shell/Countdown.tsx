import { useEffect, useState } from 'react';

interface CountdownProps {
  /** ms since the epoch. */
  readonly until: number;
  /** Said before the time to a screen reader, which is not told of every second. */
  readonly label: string;
  /** Called once it is over. */
  readonly onEnd: () => void;
}

const SECOND = 1000;

/** What is left, as `59:07`; from an hour on `1:00:00`. */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number): string => `${part}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Time running out, second by second. It follows the clock, so that a machine that slept is not late. */
export function Countdown({ until, label, onEnd }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  const over = now >= until;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [over]);
  useEffect(() => {
    if (over) onEnd();
  }, [over, onEnd]);
  return (
    <span role="timer" aria-label={label} className="font-mono text-mono tabular-nums">
      {formatLeft(until - now)}
    </span>
  );
}
