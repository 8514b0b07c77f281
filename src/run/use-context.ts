import { atom, useAtomValue } from 'jotai';

import type { Context } from '#commands/model/context.ts';
import { loadCountAtom } from '#src/registry/registry.ts';
import { isUnreachableAtom } from '#src/state/connection.ts';
import {
  benchHostAtom,
  chartHostAtom,
  focusAtom,
  panelHostAtom,
  tableHostAtom,
  timelineHostAtom,
} from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { contextOf } from './context.ts';

/** Subscribes to everything that affects which commands can run, so any change rebuilds the context. */
const contextAtom = atom((get) => {
  get(focusAtom);
  get(tableHostAtom);
  get(timelineHostAtom);
  get(panelHostAtom);
  get(chartHostAtom);
  get(benchHostAtom);
  // A command's `blockedReason` becomes available only when its noun has loaded.
  get(loadCountAtom);
  // Repeat failed lookups once the server is back.
  get(isUnreachableAtom);
  const session = get(userSessionAtom);
  return session && contextOf(session);
});

/** Returns the current context, or undefined if nobody is signed in. */
export function useCommandContext(): Context | undefined {
  return useAtomValue(contextAtom);
}
