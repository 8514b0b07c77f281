import { useEffect, useState } from 'react';

interface CountdownProps {
  /** ms since the epoch. */
  readonly until: number;
  /** Accessible name, read before the time. Screen readers do not announce every second. */
  readonly label: string;
  /** Called when the time is up. */
  readonly onEnd: () => void;
}

const SECOND = 1000;

/** Formats the remaining time as `59:07`, or as `1:00:00` from one hour up. */
export function formatRemaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const [hours, minutes, remainder] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (part: number): string => `${part}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`;
}

/** A countdown in seconds. Follows the clock, so it is still correct after the machine has slept. */
export function Countdown({ until, label, onEnd }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  const isOver = now >= until;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isOver]);
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver, onEnd]);
  return (
    <span role="timer" aria-label={label} className="font-mono text-mono tabular-nums">
      {formatRemaining(until - now)}
    </span>
  );
}
