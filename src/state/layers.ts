import { atom } from 'jotai';

import type { PaletteStart } from '#commands/model/host.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Prepared } from '#commands/run/run.ts';

/** What lies over the screen. One at a time; focus returns to where it came from when it closes. */
export type PaletteState =
  | { readonly open: false }
  | { readonly open: true; readonly start: PaletteStart; readonly prepared?: Prepared };

export const paletteAtom = atom<PaletteState>({ open: false });
export const helpOpenAtom = atom(false);

/**
 * A command to open as a form; `typed` are texts by param that could not be read, for the form to say what is wrong
 * with them.
 */
export interface FormStart extends Invocation {
  readonly typed?: Readonly<Record<string, string>>;
}

/** A command open as a form in the side panel. */
export const formAtom = atom<FormStart | undefined>(undefined);
