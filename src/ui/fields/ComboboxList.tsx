import { Check } from 'lucide-react';
import { useEffect } from 'react';

import { cx } from '#src/ui/cx.ts';

import type { ComboboxOption } from './use-async-options.ts';

interface ComboboxListProps {
  readonly id: string;
  readonly options: readonly ComboboxOption[];
  readonly activeId: string | undefined;
  readonly selectedIds: readonly string[];
  readonly multiple: boolean;
  readonly onChoose: (option: ComboboxOption) => void;
  /** Shown instead of an empty list. */
  readonly message: string;
}

/** The list below a Combobox. Never has focus, because the input announces the active option. */
export function ComboboxList({ id, options, activeId, selectedIds, multiple, onChoose, message }: ComboboxListProps) {
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(`${id}-${activeId}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, activeId]);
  return (
    <>
      <div id={id} role="listbox" aria-multiselectable={multiple || undefined}>
        {options.map((option) => {
          const isSelected = selectedIds.includes(option.id);
          const disabled = option.disabledReason !== undefined;
          return (
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={isSelected}
              aria-disabled={disabled || undefined}
              onClick={() => !disabled && onChoose(option)}
              className={cx(
                'flex min-h-7 items-center gap-2 rounded-chip px-2',
                disabled ? 'text-ink-3' : 'text-ink-1 hover:bg-surface-2',
                option.id === activeId && 'bg-surface-3',
              )}
            >
              <span className="max-w-3/4 shrink-0 truncate">{option.label}</span>
              <span className="truncate text-label text-ink-3">{option.disabledReason ?? option.detail}</span>
              {isSelected && <Check size={13} aria-hidden className="ml-auto shrink-0 text-accent" />}
            </div>
          );
        })}
      </div>
      {options.length === 0 && (
        <p role="status" className="px-2 py-1 text-ink-3">
          {message}
        </p>
      )}
    </>
  );
}
