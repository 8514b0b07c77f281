import { atom } from 'jotai';

import type { CommandMetadata } from '#commands/model/command.ts';

/** A pending key sequence, with the keys so far and, after a short pause, its continuations. */
export interface PendingSequence {
  /** The keys as displayed, such as `g`. */
  readonly typed: string;
  /** Empty until the user hesitates. */
  readonly continuations: readonly { readonly remaining: string; readonly command: CommandMetadata }[];
}

/** The sequence that the status line shows. Undefined if none is pending. */
export const pendingKeysAtom = atom<PendingSequence | undefined>(undefined);

/** True while keystrokes, or a command that one of them runs, have waited noticeably long for something to load. */
export const slowKeysAtom = atom(false);
