import { currentPersonId } from '#src/auth/session.ts';
import { printOverrides, problemOfText, readOverrides } from '#src/keymap/exchange.ts';
import { learn } from '#src/search/habits.ts';

import { lastRun } from './last-run.ts';
import { continueRun, repeat, retry, start } from './runner.ts';
import { keepHistory } from './stored-history.ts';
import { undo } from './undo.ts';

// Before anything can undo or repeat.
keepHistory(currentPersonId);

/** What running a command needs, to load at once: `invoke.ts` imports it on demand. */
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
