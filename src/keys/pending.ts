import { atom } from 'jotai';

import type { Command } from '#commands/model/command.ts';

/** A pending key sequence: the keys so far, and (after a short pause) its continuations. */
export interface PendingKeys {
  /** As displayed: `g`. */
  readonly typed: string;
  /** Empty until the person hesitates. */
  readonly continuations: readonly { readonly remaining: string; readonly command: Command }[];
}

/** Undefined without a pending sequence. Shown in the status line. */
export const pendingKeysAtom = atom<PendingKeys | undefined>(undefined);
