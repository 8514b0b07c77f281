import { currentUserId } from '#src/auth/session.ts';
import {
  addCustomKeys,
  printOverrides,
  problemOfText,
  readOverrides,
  removeCustomKeys,
  suggestCommands,
} from '#src/keymap/exchange.ts';
import { recordUse } from '#src/search/habits.ts';

import { offerInterruptedRuns } from './journal/interrupted.ts';
import { lastRun } from './last-run.ts';
import { selectResults, showResults } from './results.ts';
import { continueRun, pauseRun, repeat, retry, start } from './runner.ts';
import { saveResults } from './save-results.ts';
import { storeUnsavedOnPageHide } from './store-unsaved.ts';
import { persistHistory } from './stored-history.ts';
import { undo } from './undo.ts';

// Restores the history before anything can undo or repeat, and before an interrupted run is added to it.
persistHistory(currentUserId);
storeUnsavedOnPageHide();
offerInterruptedRuns((id) => start({ id, args: {} }));

/** Everything that is needed to run commands, in one chunk that `invoke.ts` imports on demand. */
export const runner = {
  start,
  undo,
  repeat,
  retry,
  continueRun,
  pauseRun,
  showResults,
  selectResults,
  saveResults,
  lastRun,
  recordUse,
  printOverrides,
  problemOfText,
  readOverrides,
  suggestCommands,
  addCustomKeys,
  removeCustomKeys,
} as const;

export type Runner = typeof runner;
