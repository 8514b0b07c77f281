import { cx } from './cx.ts';

/**
 * Keys as text: `g d`, `esc`. `framed` draws a box around a key that stands alone; without it, the keys are quiet text
 * beside a label, as in the rail. Hidden from screen readers, which read the attributes of the element
 * (`ShownKeys`).
 */
export function Kbd({ keys, framed = false, className }: { keys: string; framed?: boolean; className?: string }) {
  return (
    <kbd
      aria-hidden
      className={cx(
        'type-mono shrink-0 whitespace-nowrap',
        framed
          ? 'inline-flex h-[17px] min-w-[17px] items-center justify-center rounded-chip border border-line-strong px-1 text-[10.5px] text-ink-2'
          : 'text-[10.5px] text-ink-3',
        className,
      )}
    >
      {keys}
    </kbd>
  );
}
