import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import { tip } from './tip.ts';

export type ChipTone = 'neutral' | 'accent' | 'strong' | 'error';

const TONES: Record<ChipTone, string> = {
  neutral: 'border-line bg-surface-2 text-ink-2',
  accent: 'border-line-strong bg-selected text-accent',
  strong: 'border-transparent bg-surface-3 text-ink-1',
  error: 'border-health-error bg-surface-1 text-error-text',
};

interface ChipProps {
  readonly children: ReactNode;
  readonly tone?: ChipTone;
  /** Uses the code font, for filter terms and command words. */
  readonly mono?: boolean;
  /** Adds a remove button. `removeLabel` is its accessible name ("Remove health:ERROR"). */
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
  /** The tooltip. */
  readonly hint?: string;
  readonly className?: string;
}

const FRAME = 'h-[18px] max-w-full min-w-0 rounded-chip border px-1.5';
const PLAIN = 'inline-block truncate text-label';

/** The classes of a chip with a single element, for tables, which have hundreds of chips. */
export const PLAIN_CHIP = cx(PLAIN, FRAME, TONES.neutral);

/** A short label in a box: a tag, a filter term, an argument. */
export function Chip({ children, tone = 'neutral', mono, onRemove, removeLabel, hint, className }: ChipProps) {
  const sharedClass = cx(FRAME, TONES[tone], mono && 'type-mono', className);
  if (!onRemove) {
    return (
      <span {...tip(hint)} className={cx(PLAIN, sharedClass)}>
        {children}
      </span>
    );
  }
  return (
    <span {...tip(hint)} className={cx('inline-flex items-center gap-1 text-label', sharedClass)}>
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label={removeLabel}
        className="-mr-0.5 rounded-chip text-ink-3 hover:text-ink-1"
        onClick={onRemove}
      >
        <X size={11} aria-hidden />
      </button>
    </span>
  );
}
