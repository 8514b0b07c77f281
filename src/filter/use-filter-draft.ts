import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import { compileText } from '#commands/query/compile.ts';
import { type ParsedFilter, parseFilter } from '#commands/query/parse.ts';
import { FilterError } from '#commands/query/problem.ts';
import type { Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';

import { createDraft, EMPTY, validText, textOf, type Draft } from './draft.ts';
import { createFixes, type Fix } from './fixes.ts';
import { rememberFilter } from './history.ts';

/**
 * The debounce delay before the typed filter is applied. One or two letters match most items, so their search is slow,
 * and most likely not yet all that is meant.
 */
const debounceMs = (text: string): number => (text.length === 1 || text.length === 2 ? 300 : 60);

/** A problem, with fixes that each replace the complete text. */
export interface DraftFailure {
  readonly message: Message;
  readonly fixes: readonly Fix[];
}

interface FilterDraft {
  readonly draft: Draft;
  /** The parsed text of the draft. */
  readonly parsed: ParsedFilter;
  readonly isEditing: boolean;
  /** Set if the names in the filter could not be looked up, but not for a syntax error. */
  readonly failure: DraftFailure | undefined;
  /** True after an attempt to apply an invalid draft. Every problem is then visible. */
  readonly isSubmitted: boolean;
  begin(): void;
  change(next: Draft): void;
  /** Applies the draft and ends editing. Resolves to false, and keeps the draft, if part of it is invalid. */
  commit(): Promise<boolean>;
  /** Clears the filter, which shows every row. */
  clear(): void;
  /** Restores the filter from before editing. */
  cancel(): void;
}

/**
 * Manages the filter during editing. Only valid filters reach the table, which keeps the rows of the last valid filter
 * while the draft has a problem.
 */
export function useFilterDraft(filter: ParsedFilter, onText: (text: string) => void): FilterDraft {
  const { entity, text } = filter;
  const [edit, setEdit] = useState<{ readonly draft: Draft; readonly original: ParsedFilter }>();
  const [failure, setFailure] = useState<DraftFailure>();
  const [submitted, setSubmitted] = useState(false);
  const appliedText = useRef(text);
  const [lastText, setLastText] = useState(text);
  if (lastText !== text) {
    setLastText(text);
    // Editing may start right after a key changed the filter, before the URL is updated. The draft then has no edits
    // yet.
    const isUntouched = edit && textOf(edit.draft) === textOf(createDraft(edit.original));
    if (isUntouched) setEdit({ draft: createDraft(filter), original: filter });
  }
  const draft = useMemo(() => edit?.draft ?? createDraft(filter), [edit, filter]);
  const parsed = useMemo(() => parseFilter(textOf(draft), entity), [draft, entity]);

  const apply = async (nextText: string): Promise<boolean> => {
    try {
      if (nextText !== appliedText.current) {
        await compileText(entity, nextText, contextNow());
        appliedText.current = nextText;
        onText(nextText);
      }
      setFailure(undefined);
      return true;
    } catch (error) {
      report(error);
      const fixes = error instanceof FilterError ? createFixes(nextText, error.problem) : [];
      setFailure({ message: lookupFailure(error), fixes });
      return false;
    }
  };

  useEffect(() => {
    appliedText.current = text;
  }, [text]);

  const pendingFilter = edit && validText(parsed);
  // Only a change to the text restarts the debounce, because `apply` is a new function on each render.
  const applyPending = useEffectEvent((nextText: string) => void apply(nextText));
  useEffect(() => {
    if (pendingFilter === undefined) return;
    const timer = setTimeout(() => applyPending(pendingFilter), debounceMs(pendingFilter));
    return () => clearTimeout(timer);
  }, [pendingFilter]);

  // Retry after a connection failure. An invalid filter stays invalid.
  useOnReconnect(() => {
    if (failure && pendingFilter !== undefined) void apply(pendingFilter);
  });

  return {
    draft,
    parsed,
    isEditing: edit !== undefined,
    failure,
    isSubmitted: submitted,
    begin: () => setEdit((current) => current ?? { draft: createDraft(filter), original: filter }),
    change: (next) => {
      // The failure applied to the previous text.
      setFailure(undefined);
      setSubmitted(false);
      setEdit((current) => ({ draft: next, original: current?.original ?? filter }));
    },
    clear: () => {
      setFailure(undefined);
      setSubmitted(false);
      setEdit((current) => current && { draft: EMPTY, original: current.original });
      appliedText.current = '';
      if (text !== '') onText('');
    },
    commit: async () => {
      // The field lost focus after Enter had committed the draft, so nothing is left to apply.
      if (edit === undefined) return true;
      const nextText = validText(parsed);
      if (nextText === undefined || !(await apply(nextText))) {
        setSubmitted(true);
        return false;
      }
      rememberFilter({ ...contextNow(), entity: entity.name }, nextText);
      setEdit(undefined);
      return true;
    },
    cancel: () => {
      const original = edit?.original.text ?? text;
      setEdit(undefined);
      setFailure(undefined);
      setSubmitted(false);
      if (original !== text) onText(original);
    },
  };
}
