import { atom } from 'jotai';

import type { PaletteStart } from '#commands/model/host.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { PreparedRun } from '#commands/run/run.ts';

/** The palette's state. Layers open one at a time, and return focus on closing. */
export type PaletteState =
  | { readonly open: false }
  | { readonly open: true; readonly start: PaletteStart; readonly preparedRun?: PreparedRun };

export const paletteAtom = atom<PaletteState>({ open: false });
export const helpOpenAtom = atom(false);
export const tourOpenAtom = atom(false);

/** A command to open as a form. `typed` holds invalid text by param, which the form reports. */
export interface FormStart extends Invocation {
  readonly typed?: Readonly<Record<string, string>>;
}

/** The command open as a form in the side panel. */
export const formAtom = atom<FormStart | undefined>(undefined);
