import { cx } from './cx.ts';

/** A progress bar that shows `value` out of `max`. Indeterminate if `value` is undefined. */
export function Progress({ value, max, label }: { value?: number; max: number; label: string }) {
  const fraction = value === undefined || max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(max, 1)}
      aria-valuenow={value === undefined ? undefined : Math.min(value, max)}
      aria-valuetext={value === undefined ? undefined : `${Math.round(fraction * 100)}%`}
      className="h-1 w-full overflow-hidden rounded-full bg-surface-3"
    >
      <div
        className={cx('h-full w-full origin-left bg-accent', value === undefined && 'opacity-40')}
        style={{ transform: value === undefined ? undefined : `scaleX(${fraction})` }}
      />
    </div>
  );
}
