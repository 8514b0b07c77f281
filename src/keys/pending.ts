import { atom } from 'jotai';

import type { CommandMetadata } from '#commands/model/command.ts';

/** A pending key sequence: the keys so far, and (after a short pause) its continuations. */
export interface PendingSequence {
  /** As displayed: `g`. */
  readonly typed: string;
  /** Empty until the user hesitates. */
  readonly continuations: readonly { readonly remaining: string; readonly command: CommandMetadata }[];
}

/** Undefined without a pending sequence. Shown in the status line. */
export const pendingKeysAtom = atom<PendingSequence | undefined>(undefined);
