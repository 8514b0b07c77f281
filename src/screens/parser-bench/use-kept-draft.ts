import { useEffect, useRef } from 'react';

import { keepDraft } from './draft.ts';

const PAUSE_MS = 250;

interface KeptDraft {
  /**
   * Keeps what is typed from now on as a draft of the parser that was just created, and forgets the draft of a new one.
   */
  readonly handOver: (parser: string) => void;
  /** Keeps a draft of the created parser at once because its own bench is about to read it. */
  readonly saveDraft: (content: string | undefined) => void;
}

/**
 * Keeps a draft once the typing pauses, and at the latest when the bench or the page is left. Undefined for a draft
 * that equals the saved definition.
 */
export function useKeptDraft(key: string, content: string | undefined, isReadOnly: boolean): KeptDraft {
  const keep = useRef<() => void>(undefined);
  const created = useRef<string>(undefined);
  useEffect(() => {
    if (isReadOnly || created.current !== undefined) return undefined;
    keep.current = () => {
      keep.current = undefined;
      keepDraft(key, content);
    };
    const timer = setTimeout(() => keep.current?.(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, content, isReadOnly]);
  useEffect(() => {
    const keepNow = () => keep.current?.();
    window.addEventListener('pagehide', keepNow);
    return () => {
      window.removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, []);
  return {
    handOver(parser) {
      created.current = parser;
      keep.current = undefined;
      keepDraft(key, undefined);
    },
    saveDraft(next) {
      if (created.current !== undefined) keepDraft(created.current, next);
    },
  };
}
