import { cx } from './cx.ts';

export type HealthLevel = 'ERROR' | 'WARNING' | 'OK';

// Health is never shown by color alone, so each level has its own shape. All three fill the same 9x9 box.
export const HEALTH_SHAPES: Readonly<Record<HealthLevel, { readonly path: string; readonly color: string }>> = {
  ERROR: { path: 'M4.5 0 9 4.5 4.5 9 0 4.5Z', color: 'text-health-error' },
  WARNING: { path: 'M4.5 .5 9 8.5H0Z', color: 'text-health-warning' },
  OK: { path: 'M4.5 .75a3.75 3.75 0 1 1 0 7.5 3.75 3.75 0 0 1 0-7.5Z', color: 'text-health-ok' },
};

/**
 * The mark of a health level. `label` is the level's name for screen readers. Omit it if the name is visible next to
 * the mark.
 */
export function HealthMark({ level, label, className }: { level: HealthLevel; label?: string; className?: string }) {
  const { path, color } = HEALTH_SHAPES[level];
  return (
    <svg
      viewBox="0 0 9 9"
      width="9"
      height="9"
      className={cx('inline-block shrink-0', color, className)}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
