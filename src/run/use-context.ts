import { atom, useAtomValue } from 'jotai';

import type { Context } from '#commands/model/context.ts';

import { actingAtom } from '#src/state/acting.ts';
import { isAwayAtom } from '#src/state/connection.ts';
import { focusAtom, panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { contextOf } from './context.ts';

/** Reads what decides which commands may run, so that the context is made anew when any of it changes. */
const contextAtom = atom((get) => {
  get(focusAtom);
  get(tableHostAtom);
  get(panelHostAtom);
  // What could not be looked up is looked up again when the server is back.
  get(isAwayAtom);
  const acting = get(actingAtom);
  return acting && contextOf(acting);
});

/** The context as it is now. Undefined until somebody acts for an organization. */
export function useCommandContext(): Context | undefined {
  return useAtomValue(contextAtom);
}
