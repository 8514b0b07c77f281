import { atom } from 'jotai';

import type { Progress } from '#commands/model/context.ts';
import { EMPTY, type History } from '#commands/run/history.ts';
import type { Message } from '#commands/text/message.ts';
import type { Reveal } from '#commands/model/result.ts';
import type { Done } from '#commands/run/done.ts';

/** A command that is running. There may be several; the status line shows the newest. */
export interface Running {
  readonly id: number;
  readonly title: Message;
  readonly progress: Progress | undefined;
  /** Whether it changes anything: undo waits for what does. */
  readonly writes: boolean;
  readonly cancel: () => void;
}

export const runningAtom = atom<readonly Running[]>([]);
export const historyAtom = atom<History>(EMPTY);

/** The last run that had per-item failures, for its report; cleared by the next one or by closing it. */
export const reportAtom = atom<Done | undefined>(undefined);

/** The last cancelled run, whose rest can still be done; cleared by the next one that changes something. */
export const cancelledAtom = atom<Done | undefined>(undefined);

/** A secret to show once. Held only while it is on the screen. */
export const revealAtom = atom<Reveal | undefined>(undefined);
