import { Switch as Radix } from 'radix-ui';
import { useFieldWiring } from './field-context.ts';

interface SwitchProps {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  /** Its accessible name where no Field labels it. */
  label?: string;
  disabled?: boolean;
}

/** On or off, with effect at once. For a choice that is sent with a form use a Checkbox. */
export function Switch({ checked, onChecked, label, disabled }: SwitchProps) {
  return (
    <Radix.Root
      {...useFieldWiring()}
      aria-label={label}
      checked={checked}
      onCheckedChange={onChecked}
      disabled={disabled}
      className="h-4 w-7 shrink-0 rounded-full border border-line-field bg-surface-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
    >
      <Radix.Thumb className="block size-3 translate-x-px rounded-full bg-ink-3 transition-transform data-[state=checked]:translate-x-[13px] data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  );
}
