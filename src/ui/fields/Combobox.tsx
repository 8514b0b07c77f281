import { Popover } from 'radix-ui';
import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from 'react';

import { Chip } from '#src/ui/Chip.tsx';
import { cx } from '#src/ui/cx.ts';
import { OverlayContainer } from '#src/ui/overlay-container.ts';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { ComboboxList } from './ComboboxList.tsx';
import { CONTROL_CLASS } from './control-class.ts';
import { useFieldWiring } from './field-context.ts';
import { type ComboboxOption, type LoadOptions, useAsyncOptions } from './use-async-options.ts';

export interface ComboboxLabels {
  readonly loading: string;
  /** Shown if nothing matches. */
  readonly empty: string;
  readonly failed: (error: unknown) => string;
  /** Accessible name of a chip's remove button. */
  readonly remove: (label: string) => string;
}

/** Holds keystrokes while the options for the typed text load, until one of these functions is called. */
export interface KeyHold {
  /** Replays the keystrokes, because an option was picked. */
  readonly release: () => void;
  /** Discards the keystrokes, because no option matched. */
  readonly drop: () => void;
}

interface ComboboxProps {
  /** Keep the function stable between renders because a new one reloads the options. */
  readonly load: LoadOptions;
  readonly selectedOptions: readonly ComboboxOption[];
  readonly onSelected: (selectedOptions: readonly ComboboxOption[]) => void;
  /**
   * Called with text that matches no option, or that the user left without picking an option. The text stays in the
   * field. Called with undefined when the text is cleared.
   */
  readonly onUnfinished: (text: string | undefined) => void;
  /** Unfinished text that the field starts with. */
  readonly initialText?: string | undefined;
  /** True to choose several options, shown as chips. Otherwise, a new choice replaces the value. */
  readonly multiple?: boolean;
  /** Returns pasted text as it belongs in the field, such as lines as a list. Undefined to paste it unchanged. */
  readonly onPasted?: (text: string) => string | undefined;
  readonly placeholder?: string;
  readonly labels: ComboboxLabels;
  readonly holdKeys?: () => KeyHold;
}

/**
 * A text field for picking from options that load as you type. Enter picks exactly the option that a screen reader
 * announces.
 */
export function Combobox({
  load,
  selectedOptions,
  onSelected,
  onUnfinished,
  initialText,
  multiple = false,
  onPasted,
  placeholder,
  labels,
  holdKeys,
}: ComboboxProps) {
  const wiring = useFieldWiring();
  const container = useContext(OverlayContainer);
  const listId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState(initialText ?? '');
  const [highlightedId, setHighlightedId] = useState<string>();
  const unfinished = useRef(initialText !== undefined);
  /** The typed text to pick once its options have loaded. */
  const [pendingText, setPendingText] = useState<string>();
  const hold = useRef<KeyHold>(undefined);
  const { options, loading, error } = useAsyncOptions(load, pendingText ?? query, open || pendingText !== undefined);
  const enabledOptions = options.filter((option) => option.disabledReason === undefined);
  const hasText = (pendingText ?? query).trim() !== '';
  // With `multiple`, Enter in an empty field picks nothing, because no option was typed or highlighted.
  const firstOption = multiple && !hasText ? undefined : enabledOptions[0];
  // Tracked by id, because options that load later must not move the highlight to another option.
  const active = enabledOptions.find((option) => option.id === highlightedId) ?? firstOption;

  const finish = () => {
    if (unfinished.current) onUnfinished(undefined);
    unfinished.current = false;
  };
  const close = () => {
    setOpen(false);
    setQuery('');
    setHighlightedId(undefined);
    finish();
  };
  const reportUnfinished = (typedText: string) => {
    unfinished.current = true;
    onUnfinished(typedText.trim());
  };
  /** Clicking elsewhere keeps the typed text, but doesn't choose it. */
  const leave = () => {
    if (!hasText || pendingText !== undefined) return close();
    setOpen(false);
    reportUnfinished(query);
  };
  const choose = (option: ComboboxOption) => {
    unfinished.current = false;
    const isSelected = selectedOptions.some((item) => item.id === option.id);
    if (!multiple) onSelected([option]);
    else if (option.list) {
      const isNew = ({ id }: ComboboxOption) => selectedOptions.every((item) => item.id !== id);
      onSelected([...selectedOptions, ...option.list.filter(isNew)]);
    } else
      onSelected(isSelected ? selectedOptions.filter((item) => item.id !== option.id) : [...selectedOptions, option]);
    if (multiple) setQuery('');
    else close();
  };
  /** Picks the typed text, now or once its options have loaded, even if focus has moved. */
  const pickTyped = ({ repeat }: KeyboardEvent) => {
    if (repeat || pendingText !== undefined) return;
    if (!loading) return active ? choose(active) : reportUnfinished(query);
    setPendingText(query);
    hold.current = holdKeys?.();
  };
  const type = (text: string) => {
    setQuery(text);
    setOpen(true);
    finish();
  };
  const move = (offset: 1 | -1) => {
    setOpen(true);
    const index = enabledOptions.findIndex((option) => option.id === active?.id);
    setHighlightedId(
      (index < 0
        ? enabledOptions.at(offset > 0 ? 0 : -1)
        : enabledOptions[(index + offset + enabledOptions.length) % enabledOptions.length]
      )?.id,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const picksText = hasText && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey));
    // Ctrl and Meta combinations are shortcuts of the surrounding form, except that a form must not be submitted
    // without the text typed here.
    if ((event.ctrlKey || event.metaKey) && !picksText) return;
    if (picksText) {
      pickTyped(event);
      if (event.key === 'Tab') return;
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && (open || event.repeat)) {
      if (active && !event.repeat) choose(active);
    }
    // Escape closes only the innermost layer.
    else if (event.key === 'Escape' && open) close();
    else if (event.key === 'Backspace' && query === '' && multiple) return onSelected(selectedOptions.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  useWhenSet(loading ? undefined : pendingText, (text) => {
    setPendingText(undefined);
    if (active) return choose(active);
    // Nothing matches, so restore the typed text, and report the problem in the field and the list.
    setQuery(text);
    reportUnfinished(text);
    setOpen(true);
    input.current?.focus();
    hold.current?.drop();
  });
  // Run after the value is in the form because a held keystroke can submit it.
  const isPending = pendingText !== undefined;
  useEffect(() => (isPending ? () => hold.current?.release() : undefined), [isPending]);

  const selectedOption = multiple ? undefined : selectedOptions[0];
  return (
    <Popover.Root open={open} onOpenChange={(next) => !next && leave()}>
      <Popover.Anchor asChild>
        <div
          ref={anchor}
          className={cx(
            CONTROL_CLASS,
            'flex h-auto min-h-7 flex-wrap items-center gap-1 py-1',
            'focus-within:border-accent focus-within:outline-1 focus-within:outline-accent has-aria-invalid:border-health-error',
          )}
        >
          {multiple &&
            selectedOptions.map((option) => (
              <Chip
                key={option.id}
                onRemove={() => onSelected(selectedOptions.filter((item) => item.id !== option.id))}
                removeLabel={labels.remove(option.label)}
              >
                {option.label}
              </Chip>
            ))}
          <input
            {...wiring}
            ref={input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={listId}
            aria-activedescendant={open && active ? `${listId}-${active.id}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={selectedOption?.label ?? (selectedOptions.length === 0 ? placeholder : undefined)}
            value={open || hasText ? query : (selectedOption?.label ?? '')}
            onChange={(event) => type(event.target.value)}
            onPaste={(event) => {
              const text = onPasted?.(event.clipboardData.getData('text'));
              if (text === undefined) return;
              event.preventDefault();
              type(query + text);
            }}
            onFocus={() => hasText && setOpen(true)}
            onClick={() => setOpen(true)}
            onBlur={leave}
            onKeyDown={onKeyDown}
            className="min-w-16 flex-1 bg-transparent outline-none"
          />
        </div>
      </Popover.Anchor>
      <Popover.Portal container={container}>
        <Popover.Content
          role="none"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The input handles Escape.
          onEscapeKeyDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
          }}
          // Pressing an option must not take focus from the input.
          onPointerDown={(event) => event.preventDefault()}
          className="z-50 max-h-64 w-(--radix-popover-trigger-width) animate-appear overflow-y-auto rounded-field bg-surface-1 p-1 shadow-overlay"
        >
          <ComboboxList
            id={listId}
            options={options}
            activeId={active?.id}
            selectedIds={selectedOptions.map((option) => option.id)}
            multiple={multiple}
            onChoose={choose}
            message={error === undefined ? (loading ? labels.loading : labels.empty) : labels.failed(error)}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
