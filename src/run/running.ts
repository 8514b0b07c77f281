import { currentUserId } from '#src/auth/session.ts';
import { printOverrides, problemOfText, readOverrides } from '#src/keymap/exchange.ts';
import { learn } from '#src/search/habits.ts';

import { keepUnsaved } from './keep-unsaved.ts';
import { lastRun } from './last-run.ts';
import { continueRun, repeat, retry, start } from './runner.ts';
import { keepHistory } from './stored-history.ts';
import { undo } from './undo.ts';

// Restores the history before anything can undo or repeat.
keepHistory(currentUserId);
keepUnsaved();

/** Everything that running a command needs, as one chunk that `invoke.ts` imports on demand. */
export const runner = {
  start,
  undo,
  repeat,
  retry,
  continueRun,
  lastRun,
  learn,
  printOverrides,
  problemOfText,
  readOverrides,
} as const;

export type Runner = typeof runner;
