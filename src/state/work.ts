import { atom } from 'jotai';

import type { Progress } from '#commands/model/context.ts';
import type { Reveal } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { EMPTY_HISTORY, type History } from '#commands/run/history.ts';
import type { Pace } from '#commands/run/pace.ts';
import type { Message } from '#commands/text/message.ts';

/** A running command. There may be several; the status line shows the newest. */
export interface RunningCommand {
  readonly id: number;
  readonly title: Message;
  readonly progress: Progress | undefined;
  /** True if it changes anything, so undo has to wait for it. */
  readonly writes: boolean;
  /** The current pace. Undefined until it is known, and while the run is paused. */
  readonly pace?: Pace | undefined;
  /** True once it makes calls between which it can be paused. */
  readonly canPause: boolean;
  /** True if the next call waits until the run continues. */
  readonly isPaused: boolean;
  readonly cancel: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

export const runningCommandsAtom = atom<readonly RunningCommand[]>([]);
export const historyAtom = atom<History>(EMPTY_HISTORY);

/** The key of the history in the tab's storage. Each tab has its own history, which ends with the tab. */
export const HISTORY_KEY = 'quarterdeck-history';

/** The run whose report is open. A report opens after per-item failures, and on request. */
export const reportAtom = atom<CompletedRun | undefined>(undefined);

/** The last run with a result for each of several items, for looking at them later and selecting some of them. */
export const lastResultsAtom = atom<CompletedRun | undefined>(undefined);

/** The last run with per-item failures, which can be retried. Cleared by the next run that changes something. */
export const failedRunAtom = atom<CompletedRun | undefined>(undefined);

/**
 * The last run that left items untried because it was canceled or stopped, so it can be continued. Cleared by the next
 * run that changes something.
 */
export const canceledRunAtom = atom<CompletedRun | undefined>(undefined);

/**
 * A run that didn't end because its page closed or crashed, so it can be continued. It stays here until it is
 * continued, undone, or dismissed, whatever the user changes meanwhile (`journal/interrupted.ts`).
 */
export const interruptedRunAtom = atom<CompletedRun | undefined>(undefined);

/** A secret to show once. Kept only while visible. */
export const revealAtom = atom<Reveal | undefined>(undefined);
