import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

import { cx } from '#src/ui/cx.ts';

import { CONTROL_CLASS } from './control-class.ts';
import { useFieldWiring } from './field-context.ts';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  /** Undefined shows `placeholder`. */
  readonly value: Value | undefined;
  readonly options: readonly SelectOption<Value>[];
  readonly onValue: (value: Value) => void;
  readonly placeholder?: string;
}

/**
 * Picks one option of a short, fixed list. A styled native select, because Radix's select injects a style element,
 * which the content security policy blocks. The native select supports type-ahead, touch, and screen readers.
 */
export function Select<Value extends string>({
  value,
  options,
  onValue,
  placeholder,
  className,
  ...rest
}: SelectProps<Value>) {
  const choose = (text: string) => {
    const option = options.find((candidate) => candidate.value === text);
    if (option) onValue(option.value);
  };
  return (
    <span className={cx('relative block', className)}>
      <select
        {...useFieldWiring()}
        {...rest}
        value={value ?? ''}
        onChange={(event) => choose(event.target.value)}
        className={cx(CONTROL_CLASS, 'appearance-none pr-7', value === undefined && 'text-ink-3')}
      >
        {value === undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            className="bg-surface-1 text-ink-1"
          >
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={13}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
