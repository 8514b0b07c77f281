import type { ComponentProps, ReactNode } from 'react';

import { cx } from './cx.ts';
import type { KeyHint } from './key-hint.ts';
import { tip } from './tip.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The button's accessible name and tooltip. */
  readonly label: string;
  /** The equivalent keys, shown in the tooltip. */
  readonly keys?: KeyHint | undefined;
  readonly icon: ReactNode;
}

/** A button with only an icon. */
export function IconButton({ label, keys, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...tip(label, { keys })}
      aria-label={label}
      className={cx(
        'inline-flex size-6 shrink-0 items-center justify-center rounded-rail text-ink-2 hover:bg-surface-3 hover:text-ink-1 disabled:opacity-50',
        className,
      )}
    >
      {icon}
    </button>
  );
}
