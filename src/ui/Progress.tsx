import { Progress as Radix } from 'radix-ui';

/** Running work: `value` of `max` done. Without a value it is running but cannot say how far. */
export function Progress({ value, max, label }: { value?: number; max: number; label: string }) {
  const share = value === undefined || max === 0 ? 0 : Math.min(1, value / max);
  return (
    <Radix.Root
      value={value === undefined ? null : Math.min(value, max)}
      max={Math.max(max, 1)}
      aria-label={label}
      className="h-1 w-full overflow-hidden rounded-full bg-surface-3"
    >
      <Radix.Indicator
        className="h-full w-full origin-left bg-accent data-[state=indeterminate]:opacity-40"
        style={{ transform: value === undefined ? undefined : `scaleX(${share})` }}
      />
    </Radix.Root>
  );
}
