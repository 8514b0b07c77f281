import { Popover } from 'radix-ui';
import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from 'react';
import { Chip } from '#src/ui/Chip.tsx';
import { ComboboxList } from './ComboboxList.tsx';
import { CONTROL_CLASS } from './control-class.ts';
import { cx } from '#src/ui/cx.ts';
import { useFieldWiring } from './field-context.ts';
import { OverlayContainer } from '#src/ui/overlay-container.ts';
import { type ComboboxOption, type LoadOptions, useAsyncOptions } from './use-async-options.ts';

export interface ComboboxTexts {
  readonly loading: string;
  /** Nothing matches. */
  readonly empty: string;
  readonly failed: (error: unknown) => string;
  /** Name of a chip's remove button. */
  readonly remove: (label: string) => string;
}

/** What is pressed while the answer to what was typed is awaited keeps its turn, until one of these is called. */
export interface KeyHold {
  /** The option was taken: what was pressed since comes now. */
  readonly release: () => void;
  /** There is none to take: what was pressed since means nothing. */
  readonly drop: () => void;
}

interface ComboboxProps {
  /** Keep its identity between renders: a new function asks again. */
  readonly load: LoadOptions;
  readonly selected: readonly ComboboxOption[];
  readonly onSelected: (selected: readonly ComboboxOption[]) => void;
  /**
   * Text was to be taken that nothing fits, or was left without being chosen from; it stays in the field. Undefined
   * once it is gone.
   */
  readonly onUnfinished: (text: string | undefined) => void;
  /** Several, as chips. Otherwise choosing replaces. */
  readonly multiple?: boolean;
  readonly placeholder?: string;
  readonly texts: ComboboxTexts;
  readonly holdKeys?: () => KeyHold;
}

/** A text field that picks from live options. The option a screen reader announces is the one Enter takes. */
export function Combobox({
  load,
  selected,
  onSelected,
  onUnfinished,
  multiple = false,
  placeholder,
  texts,
  holdKeys,
}: ComboboxProps) {
  const wiring = useFieldWiring();
  const container = useContext(OverlayContainer);
  const listId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState<string>();
  const unfinished = useRef(false);
  /** What was typed when it was to be taken, while that is still being looked for. */
  const [taking, setTaking] = useState<string>();
  const hold = useRef<KeyHold>(undefined);
  const { options, loading, error } = useAsyncOptions(load, taking ?? query, open || taking !== undefined);
  const enabled = options.filter((option) => option.disabledReason === undefined);
  // By id, not by place: options that arrive late never move the highlight to another one.
  const hasText = (taking ?? query).trim() !== '';
  // Of several, an Enter too many takes none: nothing was typed or pointed at for it.
  const first = multiple && !hasText ? undefined : enabled[0];
  const active = enabled.find((option) => option.id === wanted) ?? first;

  const finish = () => {
    if (unfinished.current) onUnfinished(undefined);
    unfinished.current = false;
  };
  const close = () => {
    setOpen(false);
    setQuery('');
    setWanted(undefined);
    finish();
  };
  const tell = (typed: string) => {
    unfinished.current = true;
    onUnfinished(typed.trim());
  };
  /** Nothing that was typed is lost by a click elsewhere, and none of it counts as chosen. */
  const leave = () => {
    if (!hasText || taking !== undefined) return close();
    setOpen(false);
    tell(query);
  };
  const choose = (option: ComboboxOption) => {
    unfinished.current = false;
    const has = selected.some((comboboxOption) => comboboxOption.id === option.id);
    if (!multiple) onSelected([option]);
    else onSelected(has ? selected.filter((comboboxOption) => comboboxOption.id !== option.id) : [...selected, option]);
    if (multiple) setQuery('');
    else close();
  };
  /** Takes what was typed: now, or once it is known what that is, wherever the focus is by then. */
  const take = ({ repeat }: KeyboardEvent) => {
    if (repeat || taking !== undefined) return;
    if (!loading) return active ? choose(active) : tell(query);
    setTaking(query);
    hold.current = holdKeys?.();
  };
  const move = (by: 1 | -1) => {
    setOpen(true);
    const at = enabled.findIndex((option) => option.id === active?.id);
    setWanted((at < 0 ? enabled.at(by > 0 ? 0 : -1) : enabled[(at + by + enabled.length) % enabled.length])?.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isTaken = hasText && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey));
    // With a modifier a key is a shortcut of what the field stands in, but a form is not sent without what was typed
    // here.
    if ((event.ctrlKey || event.metaKey) && !isTaken) return;
    if (isTaken) {
      take(event);
      if (event.key === 'Tab') return;
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && (open || event.repeat)) {
      if (active && !event.repeat) choose(active);
    }
    // Escape closes the innermost layer only.
    else if (event.key === 'Escape' && open) close();
    else if (event.key === 'Backspace' && query === '' && multiple) return onSelected(selected.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const isFound = taking !== undefined && !loading;
  useEffect(() => {
    if (!isFound) return;
    setTaking(undefined);
    if (active) return choose(active);
    // Nothing fits: what was typed stands where it was, and field and list say so.
    setQuery(taking);
    tell(taking);
    setOpen(true);
    input.current?.focus();
    hold.current?.drop();
    // What is taken is decided when it is found, not by what is drawn later.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isFound]);
  // After what was taken is in the form: what was pressed since may send it.
  const isTaking = taking !== undefined;
  useEffect(() => (isTaking ? () => hold.current?.release() : undefined), [isTaking]);

  const single = multiple ? undefined : selected[0];
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
            selected.map((option) => (
              <Chip
                key={option.id}
                onRemove={() => onSelected(selected.filter((comboboxOption) => comboboxOption.id !== option.id))}
                removeLabel={texts.remove(option.label)}
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
            placeholder={single?.label ?? (selected.length === 0 ? placeholder : undefined)}
            value={open || hasText ? query : (single?.label ?? '')}
            onChange={(event) => {
              setQuery(event.target.value);
              setOpen(true);
              finish();
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
          // The input says what Escape closes.
          onEscapeKeyDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
          }}
          // A press on an option must not take focus from the input.
          onPointerDown={(event) => event.preventDefault()}
          className="z-50 max-h-64 w-(--radix-popover-trigger-width) animate-appear overflow-y-auto rounded-field bg-surface-1 p-1 shadow-overlay"
        >
          <ComboboxList
            id={listId}
            options={options}
            activeId={active?.id}
            selectedIds={selected.map((option) => option.id)}
            multiple={multiple}
            onChoose={choose}
            message={error === undefined ? (loading ? texts.loading : texts.empty) : texts.failed(error)}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
