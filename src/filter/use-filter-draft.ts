import { useEffect, useRef, useState } from 'react';

import type { AnyEntity } from '#commands/core/entity';
import { CommandError } from '#commands/core/errors';
import type { Message } from '#commands/core/message';
import { compileText } from '#commands/query/compile';

import { contextNow } from '../host/context.ts';
import { draftOf, goodText, type Draft } from './draft.ts';
import { rememberFilter } from './history.ts';

/** Typing that pauses this long is a filter to try. */
const PAUSE_MS = 300;

interface FilterDraft {
  readonly draft: Draft;
  readonly editing: boolean;
  /** What the lookup of its names refused, beside what does not parse. */
  readonly problem: Message | undefined;
  begin(): void;
  change(next: Draft): void;
  /** Applies the draft if it is good; says so. */
  commit(): boolean;
  /** Back to what it was when the editing began. */
  cancel(): void;
}

/** The filter while it is edited: only good ones reach the table, so the rows of the last good one stay while something is wrong. */
export function useFilterDraft(entity: AnyEntity, text: string, onText: (text: string) => void): FilterDraft {
  const [edit, setEdit] = useState<{ readonly draft: Draft; readonly before: string }>();
  const [problem, setProblem] = useState<Message>();
  const applied = useRef(text);
  const draft = edit?.draft ?? draftOf(text, entity);

  const apply = async (good: string): Promise<void> => {
    if (good === applied.current) return setProblem(undefined);
    try {
      await compileText(entity, good, contextNow());
      setProblem(undefined);
      applied.current = good;
      onText(good);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      setProblem(error.said);
    }
  };

  useEffect(() => {
    applied.current = text;
  }, [text]);

  const pending = edit && goodText(edit.draft, entity);
  useEffect(() => {
    if (pending === undefined) return;
    const timer = setTimeout(() => void apply(pending), PAUSE_MS);
    return () => clearTimeout(timer);
    // Only a change of the text counts: `apply` is made anew on each render.
  }, [pending]);

  return {
    draft,
    editing: edit !== undefined,
    problem,
    begin: () => setEdit((current) => current ?? { draft: draftOf(text, entity), before: text }),
    change: (next) => setEdit((current) => ({ draft: next, before: current?.before ?? text })),
    commit: () => {
      const good = goodText(draft, entity);
      if (good === undefined) return false;
      rememberFilter(entity.name, good);
      void apply(good);
      setEdit(undefined);
      return true;
    },
    cancel: () => {
      const before = edit?.before ?? text;
      setEdit(undefined);
      setProblem(undefined);
      if (before !== text) onText(before);
    },
  };
}
