import { cx } from './cx.ts';

/**
 * A gray bar in place of text. `width` is any CSS length. It is static by design, so nothing pulses while data loads.
 */
export function Skeleton({ width = '60%', className }: { width?: string; className?: string }) {
  return <span aria-hidden className={cx('block h-2 rounded-chip bg-surface-3', className)} style={{ width }} />;
}

// Uneven to resemble text, but constant, so every render is the same.
const WIDTHS = ['72%', '54%', '63%', '47%', '68%', '58%'];

/** Rows of bars while a list or a panel section loads. `label` is for screen readers ("Loading devices"). */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex h-row items-center">
          <Skeleton width={WIDTHS[row % WIDTHS.length]} />
        </div>
      ))}
    </div>
  );
}
