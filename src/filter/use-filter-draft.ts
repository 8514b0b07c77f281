import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import type { Message } from '#commands/text/message.ts';
import { compileText } from '#commands/query/compile.ts';
import { type ParsedFilter, parseFilter } from '#commands/query/parse.ts';
import { FilterError, fixedTexts } from '#commands/query/problem.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { useOnReturn } from '#src/data/use-returns.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';
import { draftOf, EMPTY, goodText, textOf, type Draft } from './draft.ts';
import { rememberFilter } from './history.ts';

/** Typing that pauses this long is a filter to try. */
const PAUSE_MS = 300;

/** What is wrong, with the whole texts that would be right. */
export interface DraftFailure {
  readonly message: Message;
  readonly fixes: readonly Fix[];
}

export interface Fix {
  /** The part that changes. */
  readonly label: string;
  readonly text: string;
}

/** The fixes of what is wrong in a text. */
export function fixesOf(text: string, problem: FilterError['problem']): readonly Fix[] {
  return fixedTexts(text, problem).map((fixed, index) => ({ label: problem.fixes?.[index] ?? fixed, text: fixed }));
}

interface FilterDraft {
  readonly draft: Draft;
  /** Its text as it is understood. */
  readonly parsed: ParsedFilter;
  readonly editing: boolean;
  /** What the lookup of its names refused, beside what does not parse. */
  readonly failure: DraftFailure | undefined;
  /** It was to be applied while something in it was wrong: now all of that is said. */
  readonly tried: boolean;
  begin(): void;
  change(next: Draft): void;
  /**
   * Applies the draft and ends the editing; resolves to false, and keeps what was typed, when something in it is
   * wrong.
   */
  commit(): Promise<boolean>;
  /** Everything is shown again. */
  clear(): void;
  /** Back to what it was when the editing began. */
  cancel(): void;
}

/**
 * The filter while it is edited: only good ones reach the table, so the rows of the last good one stay while
 * something is wrong.
 */
export function useFilterDraft(filter: ParsedFilter, onText: (text: string) => void): FilterDraft {
  const { entity, text } = filter;
  const [edit, setEdit] = useState<{ readonly draft: Draft; readonly before: ParsedFilter }>();
  const [failure, setFailure] = useState<DraftFailure>();
  const [tried, setTried] = useState(false);
  const applied = useRef(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    // Begun right after a key that changes the filter, before the address had caught up: there is nothing of one's own
    // in it yet.
    const untouched = edit && textOf(edit.draft) === textOf(draftOf(edit.before));
    if (untouched) setEdit({ draft: draftOf(filter), before: filter });
  }
  const draft = useMemo(() => edit?.draft ?? draftOf(filter), [edit, filter]);
  const parsed = useMemo(() => parseFilter(textOf(draft), entity), [draft, entity]);

  const apply = async (good: string): Promise<boolean> => {
    try {
      if (good !== applied.current) {
        await compileText(entity, good, contextNow());
        applied.current = good;
        onText(good);
      }
      setFailure(undefined);
      return true;
    } catch (error) {
      report(error);
      const fixes = error instanceof FilterError ? fixesOf(good, error.problem) : [];
      setFailure({ message: lookupFailure(error), fixes });
      return false;
    }
  };

  useEffect(() => {
    applied.current = text;
  }, [text]);

  const pending = edit && goodText(parsed);
  // Only a change of the text starts the pause anew: `apply` is another function on each render.
  const applyPending = useEffectEvent((good: string) => void apply(good));
  useEffect(() => {
    if (pending === undefined) return;
    const timer = setTimeout(() => applyPending(pending), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [pending]);

  // What was refused for want of a server is tried again; what is wrong in it stays wrong.
  useOnReturn(() => {
    if (failure && pending !== undefined) void apply(pending);
  });

  return {
    draft,
    parsed,
    editing: edit !== undefined,
    failure,
    tried,
    begin: () => setEdit((current) => current ?? { draft: draftOf(filter), before: filter }),
    change: (next) => {
      // What was refused was another text.
      setFailure(undefined);
      setTried(false);
      setEdit((current) => ({ draft: next, before: current?.before ?? filter }));
    },
    clear: () => {
      setFailure(undefined);
      setTried(false);
      setEdit((current) => current && { draft: EMPTY, before: current.before });
      applied.current = '';
      if (text !== '') onText('');
    },
    commit: async () => {
      // Losing the focus after Enter: the address may not have caught up yet, so there is nothing here to apply again.
      if (edit === undefined) return true;
      const good = goodText(parsed);
      if (good === undefined || !(await apply(good))) {
        setTried(true);
        return false;
      }
      rememberFilter({ ...contextNow(), entity: entity.name }, good);
      setEdit(undefined);
      return true;
    },
    cancel: () => {
      const before = edit?.before.text ?? text;
      setEdit(undefined);
      setFailure(undefined);
      setTried(false);
      if (before !== text) onText(before);
    },
  };
}
