import { useRef, type KeyboardEvent } from 'react';

import type { SimpleModemMessageBodyParser as SimpleParser } from '#proto/gen/hiber/parser_pb.ts';

/** The number of changes that can be undone. */
const MAX_CHANGES = 500;

interface Undo {
  /** Changes the parser. */
  readonly change: (next: SimpleParser) => void;
  /** Returns the parser before the last change, which it also applies. Undefined if there is none. */
  readonly undo: () => SimpleParser | undefined;
  readonly redo: () => SimpleParser | undefined;
}

/** Remembers the changes to a form, because a browser undoes only typed text, and not a removed field. */
export function useUndo(parser: SimpleParser, onParser: (parser: SimpleParser) => void): Undo {
  const [past, future] = [useRef<SimpleParser[]>([]), useRef<SimpleParser[]>([])];
  const step = (from: SimpleParser[], to: SimpleParser[]): SimpleParser | undefined => {
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(parser);
    onParser(next);
    return next;
  };
  return {
    change: (next) => {
      past.current = [...past.current.slice(1 - MAX_CHANGES), parser];
      future.current = [];
      onParser(next);
    },
    undo: () => step(past.current, future.current),
    redo: () => step(future.current, past.current),
  };
}

/** Returns what the keys for undo and redo do, which a browser has for typed text only. */
export function restoreOf<Restore>(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  { undo, redo }: { readonly undo: Restore; readonly redo: Restore },
): Restore | undefined {
  if (ctrlKey === metaKey || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? redo : undo;
  return letter === 'y' && ctrlKey ? redo : undefined;
}
