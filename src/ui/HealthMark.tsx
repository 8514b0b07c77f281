import { cx } from './cx.ts';

export type HealthLevel = 'ERROR' | 'WARNING' | 'OK';

// Health is never colour alone: each level has a shape of its own. All three fill the same 9x9 box.
const SHAPES: Record<HealthLevel, { path: string; colour: string }> = {
  ERROR: { path: 'M4.5 0 9 4.5 4.5 9 0 4.5Z', colour: 'text-health-error' },
  WARNING: { path: 'M4.5 .5 9 8.5H0Z', colour: 'text-health-warning' },
  OK: { path: 'M4.5 .75a3.75 3.75 0 1 1 0 7.5 3.75 3.75 0 0 1 0-7.5Z', colour: 'text-health-ok' },
};

/**
 * The mark of a health level. `label` is the level's name, for a screen reader; omit it where the name stands beside.
 */
export function HealthMark({ level, label, className }: { level: HealthLevel; label?: string; className?: string }) {
  const { path, colour } = SHAPES[level];
  return (
    <svg
      viewBox="0 0 9 9"
      width="9"
      height="9"
      className={cx('inline-block shrink-0', colour, className)}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
