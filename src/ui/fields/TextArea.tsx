import type { ComponentProps } from 'react';

import { cx } from '#src/ui/cx.ts';

import { CONTROL_CLASS } from './control-class.ts';
import { useFieldWiring } from './field-context.ts';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly onText: (text: string) => void;
  readonly mono?: boolean;
}

/** A field for multiline text, which grows with its content if the browser supports it. */
export function TextArea({ onText, mono, rows = 3, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={rows}
      {...useFieldWiring()}
      {...rest}
      onChange={(event) => onText(event.target.value)}
      className={cx(
        CONTROL_CLASS,
        // A long line wraps. Without containment, its width would make the whole form wider.
        'h-auto field-sizing-content max-h-60 resize-y py-1.5 contain-inline-size',
        mono && 'type-mono',
        className,
      )}
    />
  );
}
