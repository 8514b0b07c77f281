import { atom } from 'jotai';

import type { Command } from '#commands/model/command.ts';

/** A key sequence that was begun: what was typed, and (after a short pause) what may follow. */
export interface PendingKeys {
  /** As people read it: `g`. */
  readonly typed: string;
  /** Empty until the person hesitates. `rest` is what is left to type. */
  readonly continuations: readonly { readonly rest: string; readonly command: Command }[];
}

/** Undefined while no sequence is under way. Shown by the status line. */
export const pendingKeysAtom = atom<PendingKeys | undefined>(undefined);
