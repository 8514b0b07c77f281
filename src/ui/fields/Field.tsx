import { type ReactNode, useId } from 'react';

import { cx } from '#src/ui/cx.ts';

import { FieldContext } from './field-context.ts';

interface FieldProps {
  readonly label: string;
  /** Shows an asterisk on the label (spec 5). */
  readonly required?: boolean;
  readonly hint?: string;
  /** Shows only the first error, announced when it appears (spec 5). */
  readonly errors?: readonly string[];
  /** Shown to the right of the label, for example "Various" or a unit. */
  readonly aside?: ReactNode;
  /** Shows the label beside the control, as for a checkbox, instead of above it. */
  readonly labelBeside?: boolean;
  /** A single control from this folder. */
  readonly children: ReactNode;
}

/** A labeled control with its hint and its first error. */
export function Field({
  label,
  required = false,
  hint,
  errors = [],
  aside,
  labelBeside = false,
  children,
}: FieldProps) {
  const id = useId();
  const error = errors[0];
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  return (
    <FieldContext
      value={{
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error !== undefined || undefined,
        'aria-required': required || undefined,
      }}
    >
      <div className="flex flex-col gap-1">
        <div className={labelBeside ? 'flex items-center gap-2' : 'flex flex-col gap-1'}>
          <div className={cx('flex items-baseline justify-between gap-2', labelBeside ? 'order-1' : 'text-label')}>
            <label htmlFor={id} className={labelBeside ? 'text-ink-1' : 'font-medium text-ink-2'}>
              {label}
              {required && (
                <span aria-hidden className="text-error-text">
                  {' *'}
                </span>
              )}
            </label>
            {aside && <span className="text-label text-ink-3">{aside}</span>}
          </div>
          {children}
        </div>
        {error !== undefined && (
          <p id={errorId} role="alert" className="text-label whitespace-pre-line text-error-text">
            {error}
          </p>
        )}
        {hint !== undefined && (
          <p id={hintId} className="text-label text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </FieldContext>
  );
}
