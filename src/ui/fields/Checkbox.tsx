import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

import { useFieldWiring } from './field-context.ts';

interface CheckboxProps {
  readonly checked: boolean | 'mixed';
  readonly onChecked: (checked: boolean) => void;
  /** Shown beside the box. Optional inside a Field, which has its own label. */
  readonly label?: ReactNode;
  readonly disabled?: boolean;
}

export function Checkbox({ checked, onChecked, label, disabled }: CheckboxProps) {
  const wiring = useFieldWiring();
  const box = (
    <Radix.Root
      {...wiring}
      checked={checked === 'mixed' ? 'indeterminate' : checked}
      onCheckedChange={(next) => onChecked(next === true)}
      disabled={disabled}
      // Enter submits the form, as with a native checkbox.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.form?.requestSubmit();
      }}
      className="inline-flex size-3.5 shrink-0 items-center justify-center rounded-[3px] border border-line-field aria-invalid:border-health-error data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent disabled:opacity-50"
    >
      <Radix.Indicator className="text-on-accent">
        {checked === 'mixed' ? <Minus size={11} strokeWidth={3} /> : <Check size={11} strokeWidth={3} />}
      </Radix.Indicator>
    </Radix.Root>
  );
  if (label === undefined) return box;
  return (
    <span className="flex items-center gap-2">
      {box}
      <label htmlFor={wiring.id} className="text-ink-1">
        {label}
      </label>
    </span>
  );
}
