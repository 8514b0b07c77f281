import { useId, type ComponentProps } from 'react';

import { cx } from './cx.ts';
import { Kbd } from './Kbd.tsx';
import type { KeyHint } from './key-hint.ts';
import { tip } from './tip.ts';

export type ButtonTone = 'default' | 'primary' | 'danger' | 'quiet';

const TONES: Record<ButtonTone, string> = {
  default: 'border-line-strong bg-surface-2 text-ink-1 hover:bg-surface-3',
  primary: 'border-transparent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-line-strong bg-surface-2 text-error-text hover:border-health-error',
  quiet:
    'border-transparent text-ink-2 hover:bg-surface-2 hover:text-ink-1 aria-pressed:bg-surface-3 aria-pressed:text-ink-1',
};

interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: ButtonTone;
  /** The equivalent keys, shown in the button. */
  readonly keys?: KeyHint | undefined;
  /** The reason why the button is disabled. It stays focusable, so users can read the reason. */
  readonly disabledReason?: string;
}

export function Button({ tone = 'default', keys, disabledReason, className, children, onClick, ...rest }: ButtonProps) {
  const reasonId = useId();
  return (
    <>
      <button
        type="button"
        {...keys?.attributes}
        {...rest}
        // A dialog opens after it has rendered, too late for `autoFocus`, so it focuses the element with this
        // attribute.
        data-autofocus={rest.autoFocus || undefined}
        {...tip(disabledReason)}
        aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
        aria-disabled={disabledReason !== undefined || undefined}
        onClick={disabledReason === undefined ? onClick : (event) => event.preventDefault()}
        className={cx(
          'button-box inline-flex items-center justify-center gap-1.5 rounded-field border font-medium whitespace-nowrap',
          'disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
          TONES[tone],
          className,
        )}
      >
        {children}
        {keys && <Kbd keys={keys.text} className={tone === 'primary' ? 'text-on-accent' : undefined} />}
      </button>
      {disabledReason !== undefined && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
