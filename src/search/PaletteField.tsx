import { Command } from 'cmdk';
import { type KeyboardEvent, type ReactNode, useId } from 'react';

import { cx } from '#src/ui/cx.ts';

import { ResultList, rowId } from './ResultList.tsx';
import type { Group, Row } from './rows.ts';
import type { ActiveRow } from './use-active-row.ts';
import { moveByKey } from './use-active-row.ts';

const LIST_HEIGHT = 288;

interface PaletteFieldProps<R extends Row> extends ActiveRow<R> {
  /** The accessible name of the field. */
  readonly label: string;
  readonly listLabel: string;
  readonly placeholder?: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Content before the field: the command and its arguments. */
  readonly chips?: ReactNode;
  readonly groups: readonly Group<R>[];
  readonly onPick: (row: R) => void;
  /** Handles keys with a special meaning. Returns true if it handled the key. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean;
  readonly onPaste?: (text: string) => boolean;
  readonly masked?: boolean;
  /** Maximum height of the list in px. Defaults to about nine rows. */
  readonly listHeight?: number;
  /** Error shown as an alert. */
  readonly problem?: string;
  /** Loading or empty state, announced politely when it changes. */
  readonly status?: string;
}

/**
 * The palette's field and list, as a combobox. Enter picks the active row. cmdk provides only the markup, because its
 * own filter and selection take a hundred times as long for 10,000 items.
 */
export function PaletteField<R extends Row>(props: PaletteFieldProps<R>) {
  const { label, placeholder, text, onText, chips, groups, active, onPick, onKey, onPaste, masked, problem, status } =
    props;
  const list = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Some browsers report IME input as keyCode 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || onKey?.(event) || moveByKey(event, props)) return;
    // In the field, these keys move the cursor, but cmdk would apply them to the list.
    if (event.key === 'Home' || event.key === 'End') event.stopPropagation();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (active && !event.repeat) onPick(active);
  };
  return (
    <Command shouldFilter={false} vimBindings={false} disablePointerSelection label={label} value={active?.id ?? ''}>
      <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        {chips}
        {/* If cmdk knew the text, it would render twice more per letter, to select a row and focus the field. */}
        <Command.Input asChild value="" onValueChange={onText}>
          <input
            type={masked ? 'password' : 'text'}
            value={text}
            aria-label={label}
            aria-activedescendant={active && rowId(list, active.id)}
            aria-invalid={problem !== undefined || undefined}
            placeholder={placeholder}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              if (onPaste?.(event.clipboardData.getData('text'))) event.preventDefault();
            }}
            className={cx(
              'h-7 flex-1 bg-transparent text-title text-ink-1 outline-none',
              // With nothing to enter, it takes no room, so it doesn't get a line of its own below the chips.
              placeholder === '' && text === '' ? '-ml-2 min-w-0' : 'min-w-32',
            )}
          />
        </Command.Input>
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="px-4 pt-2 text-error-text">
          {problem}
        </p>
      )}
      <div className={active ? 'py-1.5' : undefined}>
        <ResultList
          id={list}
          label={props.listLabel}
          groups={groups}
          active={active}
          onActive={props.setActive}
          onPick={onPick}
          maxHeight={props.listHeight ?? LIST_HEIGHT}
        />
      </div>
      <p role="status" className={status && !active && problem === undefined ? 'px-4 py-3 text-ink-3' : 'sr-only'}>
        {status}
      </p>
    </Command>
  );
}
