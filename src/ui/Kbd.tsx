import { cx } from './cx.ts';

interface KbdProps {
  readonly keys: string;
  /** Draws a box around keys that stand alone. By default, keys are quiet text next to a label, as in the rail. */
  readonly framed?: boolean;
  /**
   * True if the keys are content that a screen reader reads. Otherwise they are a hint, and the element that they
   * belong to has them in its attributes (`KeyHint`).
   */
  readonly spoken?: boolean;
  /** Breaks a long sequence into lines where it has no room. By default, the keys stay on one line. */
  readonly wraps?: boolean;
  readonly className?: string | undefined;
}

/** Keys as text: `g d`, `esc`. */
export function Kbd({ keys, framed = false, spoken = false, wraps = false, className }: KbdProps) {
  return (
    <kbd
      aria-hidden={!spoken || undefined}
      className={cx(
        'type-mono',
        wraps ? 'min-w-0' : 'shrink-0 whitespace-nowrap',
        framed
          ? 'inline-flex min-h-[17px] min-w-[17px] items-center justify-center rounded-chip border border-line-strong px-1 text-[10.5px] text-ink-2'
          : 'text-[10.5px] text-ink-3',
        className,
      )}
    >
      {keys}
    </kbd>
  );
}
