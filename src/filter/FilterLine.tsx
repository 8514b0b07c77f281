import { X } from 'lucide-react';
import {
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';

import { entityTexts } from '#commands/model/entity.ts';
import { type ParsedFilter, parseFilter } from '#commands/query/parse.ts';
import { registry } from '#commands/nouns/all.ts';

import { contextNow } from '#src/run/context.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { useShownKeys } from '#src/keymap/bindings.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/IconButton.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';
import { draftOf, editChip, EMPTY, problemsOf, removeBefore, removeChip, typed, walk, type Draft } from './draft.ts';
import { FilterChip } from './FilterChip.tsx';
import { FilterSuggestions } from './FilterSuggestions.tsx';
import { filterHistory } from './history.ts';
import { useCompletions } from './use-completions.ts';
import { fixesOf, useFilterDraft } from './use-filter-draft.ts';

export interface FilterLineHandle {
  focus(): void;
}

interface FilterLineProps {
  /** What the table shows. */
  readonly filter: ParsedFilter;
  /** Called with canonical text of a filter that parses and names what exists. */
  readonly onText: (text: string) => void;
  /** Rows that match, once known. */
  readonly total: number | undefined;
  /** The total is still that of the former filter. */
  readonly stale?: boolean;
  /** Explains the total. */
  readonly totalNote?: ReactNode;
  readonly ref?: Ref<FilterLineHandle>;
}

/**
 * The filter as text: terms are chips to walk and edit, what is typed is completed, what is wrong is said while the
 * rows stay.
 */
export function FilterLine({ filter, onText, total, stale = false, totalNote, ref }: FilterLineProps) {
  const { entity } = filter;
  const say = useSay();
  const message = useText();
  const id = useId();
  const shownKeys = useShownKeys();
  const editKeys = shownKeys(registry.command('view.edit-filter'));
  const input = useRef<HTMLInputElement>(null);
  // True while a key leaves the field, which has then decided already what becomes of the draft.
  const left = useRef(false);
  const { draft, parsed, editing, failure, tried, begin, change, commit, clear, cancel } = useFilterDraft(
    filter,
    onText,
  );
  const [active, setActive] = useState<number>();
  const [recalled, setRecalled] = useState(-1);
  const { from, suggestions, hopeless } = useCompletions(entity, draft.typing, editing);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);

  const problems = problemsOf(draft, parsed);
  // What is under the cursor may still become right, as long as there is something to complete it with.
  const shown = problems.find(({ open: unfinished }) => !unfinished || tried || hopeless)?.problem;
  const wrong = failure?.message ?? shown?.message;
  const fixes = failure?.fixes ?? (shown ? fixesOf(parsed.text, shown) : []);
  const count = fixes.length + suggestions.length;
  const open = editing && draft.at === undefined && !draft.all && count > 0;
  const update = (next: Draft): void => {
    setActive(undefined);
    change(next);
  };

  const choose = (index: number): void => {
    const fix = fixes[index];
    const value = suggestions[index - fixes.length]?.value;
    if (fix) update(draftOf(parseFilter(fix.text, entity)));
    if (fix || value === undefined) return input.current?.focus();
    const whole = draft.typing.slice(0, from) + value;
    update(typed(draft, /[:<>]$/.test(value) ? whole : `${whole} `, entity));
    input.current?.focus();
  };

  const leave = (): void => {
    left.current = true;
    input.current?.blur();
    left.current = false;
  };

  const keys: Readonly<Record<string, () => boolean>> = {
    Enter: () => {
      if (open && active !== undefined) choose(active);
      else if (draft.at !== undefined) update(editChip(draft, draft.at));
      else void commit().then((done) => done && leave());
      return true;
    },
    // Completes what was begun or pointed at; otherwise it leaves the field, as Tab does everywhere.
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
    ArrowRight: () => (draft.at === undefined ? deselect() : move(1)),
    Home: () => deselect(),
    End: () => deselect(),
    Backspace: () => {
      if (draft.all) update(EMPTY);
      else if (draft.at !== undefined) update(editChip(draft, draft.at));
      else if (atStart() && draft.chips.length > 0) update(editChip(draft, draft.chips.length - 1));
      else return false;
      return true;
    },
    Delete: () => {
      if (draft.all) update(EMPTY);
      else if (draft.at === undefined) return false;
      else update(removeChip(draft, draft.at));
      return true;
    },
  };

  /** With Ctrl, or the key that the system has for it. */
  const chords: Readonly<Record<string, () => boolean>> = {
    a: () => {
      input.current?.select();
      change({ chips: draft.chips, typing: draft.typing, at: undefined, all: true });
      return true;
    },
    Backspace: () => {
      if (draft.all) update(EMPTY);
      else if (draft.chips.length > 0 && (draft.at !== undefined || atStart())) update(removeBefore(draft));
      else return false;
      return true;
    },
  };

  const copy = (event: ClipboardEvent, cut: boolean): void => {
    if (!draft.all) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', parsed.text);
    if (cut) update(EMPTY);
  };

  /** The cursor goes where the key takes it. */
  const deselect = (): false => {
    if (draft.all) update({ chips: draft.chips, typing: draft.typing, at: undefined });
    return false;
  };

  const atStart = (): boolean => input.current?.selectionStart === 0 && input.current.selectionEnd === 0;

  const move = (by: 1 | -1): boolean => {
    if (draft.chips.length === 0 || (draft.at === undefined && !atStart())) return false;
    update(walk(draft, by));
    return true;
  };

  const recall = (): void => {
    const history = filterHistory({ ...contextNow(), entity: entity.name });
    const next = Math.min(recalled + 1, history.length - 1);
    const found = history[next];
    if (found === undefined) return;
    setRecalled(next);
    update(draftOf(parseFilter(found, entity)));
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
    <search className="relative shrink-0 border-b border-line">
      <div
        className="flex h-filter items-center gap-2 px-3"
        onMouseDown={(event) => {
          if (event.target === input.current) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        {editKeys && <Kbd framed keys={editKeys} />}
        <div className="flex min-w-0 flex-1 items-center gap-1.5 overflow-x-auto [scrollbar-width:none]">
          {draft.chips.map((chip, index) => {
            const mine = problems.find(({ chips }) => chips.includes(index))?.problem.message;
            return (
              <FilterChip
                key={`${index}:${chip}`}
                id={`${id}-chip-${index}`}
                text={chip}
                active={draft.all === true || draft.at === index}
                {...(mine ? { problem: say(mine) } : {})}
              />
            );
          })}
          <input
            ref={input}
            role="combobox"
            aria-label={message('filter.label', { title: say(entityTexts.title(entity)) })}
            aria-expanded={open}
            aria-controls={open ? `${id}-list` : undefined}
            aria-activedescendant={
              draft.at !== undefined
                ? `${id}-chip-${draft.at}`
                : open && active !== undefined
                  ? `${id}-list-${active}`
                  : undefined
            }
            aria-autocomplete="list"
            aria-invalid={wrong !== undefined || undefined}
            aria-describedby={wrong ? `${id}-problem` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={draft.typing}
            placeholder={draft.chips.length === 0 ? message('filter.placeholder') : undefined}
            onChange={(event) => update(typed(draft, event.target.value, entity))}
            onFocus={() => {
              setRecalled(-1);
              begin();
            }}
            onBlur={() => {
              if (!left.current) void commit().then((done) => done || cancel());
            }}
            onKeyDown={onKeyDown}
            onMouseDown={deselect}
            onCopy={(event) => copy(event, false)}
            onCut={(event) => copy(event, true)}
            className={cx(
              'type-mono h-6 min-w-24 flex-1 bg-transparent text-ink-1 outline-none placeholder:text-ink-3',
              wrong !== undefined && 'underline decoration-health-error decoration-wavy',
            )}
          />
        </div>
        {parsed.text !== '' && (
          <IconButton
            label={message('filter.clear')}
            keys={shownKeys(registry.command('view.clear-filter'))}
            icon={<X size={14} aria-hidden />}
            // The focus stays where it is: the line opens only for who wants to type.
            onMouseDown={(event) => {
              event.preventDefault();
              event.stopPropagation();
            }}
            onClick={() => {
              setActive(undefined);
              clear();
            }}
          />
        )}
        {total !== undefined && (
          <span role="status" className="whitespace-nowrap text-ink-2">
            {stale ? message('filter.loading') : say(entityTexts.count(entity, total))}
          </span>
        )}
        {total !== undefined && !stale && totalNote}
      </div>
      {editing && (
        <FilterSuggestions
          id={id}
          wrong={wrong && say(wrong)}
          fixes={open ? fixes : []}
          suggestions={open ? suggestions : []}
          active={active}
          onChoose={choose}
        />
      )}
    </search>
  );
}
