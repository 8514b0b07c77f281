import type { ComponentProps } from 'react';

import { cx } from '#src/ui/cx.ts';

import { CONTROL_CLASS } from './control-class.ts';
import { useFieldWiring } from './field-context.ts';

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onText: (text: string) => void;
  /** Uses the code font, for identifiers, command lines, and numbers. */
  readonly mono?: boolean;
}

export function TextInput({ onText, mono, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...useFieldWiring()}
      {...rest}
      onChange={(event) => onText(event.target.value)}
      className={cx(CONTROL_CLASS, mono && 'type-mono', className)}
    />
  );
}
