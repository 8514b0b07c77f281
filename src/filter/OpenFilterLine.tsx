import { X } from 'lucide-react';
import {
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
} from 'react';

import { parseFilter } from '#commands/query/parse.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { IconButton } from '#src/ui/IconButton.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import {
  createDraft,
  editChip,
  EMPTY,
  findProblems,
  removeChipBefore,
  removeChip,
  typeText,
  moveOverChips,
  type Draft,
} from './draft.ts';
import { FilterChip } from './FilterChip.tsx';
import { FilterField, FilterFrame } from './FilterFrame.tsx';
import type { FilterSuggestionsProps } from './FilterSuggestions.tsx';
import { createFixes } from './fixes.ts';
import { filterHistory } from './history.ts';
import type { LoadedLineProps } from './line-props.ts';
import { useCompletions } from './use-completions.ts';
import { useFilterDraft } from './use-filter-draft.ts';

/** The maximum time that keys wait for a filter whose values are being looked up. */
const MAX_HOLD_MS = 5000;

/** Loaded when the line is first edited. */
const FilterSuggestions = lazyPart<FilterSuggestionsProps>(
  async () => (await import('./FilterSuggestions.tsx')).FilterSuggestions,
);

/**
 * Edits the filter as text. Complete terms become chips, which the user can move across and edit. Other text gets
 * completions. The table keeps its rows while the text has a problem.
 */
export function OpenFilterLine({ filter, onText, total, isStale, totalNote, ref, earlyText }: LoadedLineProps) {
  const { entity } = filter;
  const translate = useTranslate();
  const t = useText();
  const id = useId();
  const keyHints = useKeyHints();
  const input = useRef<HTMLInputElement>(null);
  // True while a key that has already handled the draft is moving the focus out of the field.
  const isLeaving = useRef(false);
  const {
    draft,
    parsed,
    isEditing: editing,
    failure,
    isSubmitted: submitted,
    begin,
    change,
    commit,
    clear,
    cancel,
  } = useFilterDraft(filter, onText);
  const [focused, setFocused] = useState(false);
  const [active, setActive] = useState<number>();
  const [historyIndex, setHistoryIndex] = useState(-1);
  const { from, suggestions, hasNoCompletions } = useCompletions(entity, draft.typing, editing);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);
  useLayoutEffect(() => earlyText.moveTo(input.current), [earlyText]);

  const problems = findProblems(draft, parsed);
  // The text at the cursor may still become valid while it has completions.
  const visibleProblem = problems.find(({ open: unfinished }) => !unfinished || submitted || hasNoCompletions)?.problem;
  const problemMessage = failure?.message ?? visibleProblem?.message;
  const fixes = failure?.fixes ?? (visibleProblem ? createFixes(parsed.text, visibleProblem) : []);
  const count = fixes.length + suggestions.length;
  // A filter stays in the line while its names are being looked up, but the list closes, because the user has moved on.
  const open = editing && focused && draft.activeChip === undefined && !draft.allSelected && count > 0;
  const update = (next: Draft): void => {
    setActive(undefined);
    change(next);
  };

  const choose = (index: number): void => {
    const fix = fixes[index];
    const value = suggestions[index - fixes.length]?.value;
    if (fix) update(createDraft(parseFilter(fix.text, entity)));
    if (fix || value === undefined) return input.current?.focus();
    const whole = draft.typing.slice(0, from) + value;
    update(typeText(draft, /[:<>]$/.test(value) ? whole : `${whole} `, entity));
    input.current?.focus();
  };

  const leave = (): void => {
    isLeaving.current = true;
    input.current?.blur();
    isLeaving.current = false;
  };

  /** Applies the filter and moves to the rows. Keys typed meanwhile wait for the rows, so a fast Enter opens one. */
  const commitAndLeave = (): void => {
    const heldKeys = holdKeys({ limitMs: MAX_HOLD_MS });
    void commit()
      .then((isApplied) => isApplied && leave())
      .finally(heldKeys.release);
  };

  const keys: Readonly<Record<string, () => boolean>> = {
    Enter: () => {
      if (open && active !== undefined) choose(active);
      else if (draft.activeChip !== undefined) update(editChip(draft, draft.activeChip));
      else commitAndLeave();
      return true;
    },
    // Completes the typed or highlighted text. Otherwise leaves the field, as Tab does everywhere.
    Tab: () => {
      if (!open || (active === undefined && draft.typing === '' && fixes.length === 0)) return false;
      choose(active ?? 0);
      return true;
    },
    Escape: () => {
      cancel();
      leave();
      return true;
    },
    ArrowDown: () => {
      if (open) setActive(((active ?? -1) + 1) % count);
      return true;
    },
    ArrowUp: () => {
      if (open && active !== undefined) setActive(active === 0 ? undefined : active - 1);
      else if (draft.typing === '') recall();
      return true;
    },
    ArrowLeft: () => move(-1),
    ArrowRight: () => (draft.activeChip === undefined ? deselect() : move(1)),
    Home: () => deselect(),
    End: () => deselect(),
    Backspace: () => {
      if (draft.allSelected) update(EMPTY);
      else if (draft.activeChip !== undefined) update(editChip(draft, draft.activeChip));
      else if (atStart() && draft.chips.length > 0) update(editChip(draft, draft.chips.length - 1));
      else return false;
      return true;
    },
    Delete: () => {
      if (draft.allSelected) update(EMPTY);
      else if (draft.activeChip === undefined) return false;
      else update(removeChip(draft, draft.activeChip));
      return true;
    },
  };

  /** Keys pressed with Ctrl, or on a Mac with Command. */
  const chords: Readonly<Record<string, () => boolean>> = {
    a: () => {
      input.current?.select();
      change({ chips: draft.chips, typing: draft.typing, activeChip: undefined, allSelected: true });
      return true;
    },
    Backspace: () => {
      if (draft.allSelected) update(EMPTY);
      else if (draft.chips.length > 0 && (draft.activeChip !== undefined || atStart())) update(removeChipBefore(draft));
      else return false;
      return true;
    },
  };

  const copy = (event: ClipboardEvent, isCut: boolean): void => {
    if (!draft.allSelected) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', parsed.text);
    if (isCut) update(EMPTY);
  };

  /** Removes the selection and lets the browser move the cursor. */
  const deselect = (): false => {
    if (draft.allSelected) update({ chips: draft.chips, typing: draft.typing, activeChip: undefined });
    return false;
  };

  const atStart = (): boolean => input.current?.selectionStart === 0 && input.current.selectionEnd === 0;

  const move = (step: 1 | -1): boolean => {
    if (draft.chips.length === 0 || (draft.activeChip === undefined && !atStart())) return false;
    update(moveOverChips(draft, step));
    return true;
  };

  const recall = (): void => {
    const history = filterHistory({ ...contextNow(), entity: entity.name });
    const next = Math.min(historyIndex + 1, history.length - 1);
    const recalledFilter = history[next];
    if (recalledFilter === undefined) return;
    setHistoryIndex(next);
    update(createDraft(parseFilter(recalledFilter, entity)));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || (event.key === 'Tab' && event.shiftKey)) return;
    const chord = event.ctrlKey || event.metaKey || (event.altKey && event.key === 'Backspace');
    if (event.altKey && !chord) return;
    if (!(chord ? chords : keys)[event.key]?.()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <FilterFrame
      entity={entity}
      field={input}
      total={total}
      isStale={isStale}
      totalNote={totalNote}
      terms={
        <>
          {draft.chips.map((chip, index) => {
            const chipProblem = problems.find(({ chips }) => chips.includes(index))?.problem.message;
            return (
              <FilterChip
                key={`${index}:${chip}`}
                id={`${id}-chip-${index}`}
                text={chip}
                active={draft.allSelected === true || draft.activeChip === index}
                {...(chipProblem ? { problem: translate(chipProblem) } : {})}
              />
            );
          })}
          <FilterField
            ref={input}
            entity={entity}
            hasChips={draft.chips.length > 0}
            listId={open ? `${id}-list` : undefined}
            aria-activedescendant={
              draft.activeChip !== undefined
                ? `${id}-chip-${draft.activeChip}`
                : open && active !== undefined
                  ? `${id}-list-${active}`
                  : undefined
            }
            aria-invalid={problemMessage !== undefined || undefined}
            aria-describedby={problemMessage ? `${id}-problem` : undefined}
            value={draft.typing}
            onChange={(event) => update(typeText(draft, event.target.value, entity))}
            onFocus={() => {
              setHistoryIndex(-1);
              setFocused(true);
              begin();
            }}
            onBlur={() => {
              setFocused(false);
              if (!isLeaving.current) void commit().then((applied) => applied || cancel());
            }}
            onKeyDown={onKeyDown}
            onMouseDown={deselect}
            onCopy={(event) => copy(event, false)}
            onCut={(event) => copy(event, true)}
            {...(problemMessage === undefined
              ? {}
              : { className: 'underline decoration-health-error decoration-wavy' })}
          />
        </>
      }
      clearButton={
        parsed.text !== '' && (
          <IconButton
            label={t('filter.clear')}
            keys={keyHints(directory().command('view.clear-filter'))}
            icon={<X size={14} aria-hidden />}
            // Keeps the focus where it is, because clearing must not open the line for typing.
            onMouseDown={(event) => {
              event.preventDefault();
              event.stopPropagation();
            }}
            onClick={() => {
              setActive(undefined);
              clear();
            }}
          />
        )
      }
    >
      {editing && (
        <FilterSuggestions
          id={id}
          problem={problemMessage && translate(problemMessage)}
          fixes={open ? fixes : []}
          suggestions={open ? suggestions : []}
          active={active}
          onChoose={choose}
        />
      )}
    </FilterFrame>
  );
}
