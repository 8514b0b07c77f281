import { useAtomValue } from 'jotai';
import { useMemo } from 'react';

import type { Context } from '#commands/core/context';

import { actingAtom } from '../state/acting.ts';
import { focusAtom, panelHostAtom, tableHostAtom } from '../state/focus.ts';
import { contextOf } from './context.ts';

/** The context as it is now, made anew when anything that decides what may run changes. Undefined until somebody acts for an organization. */
export function useCommandContext(): Context | undefined {
  const acting = useAtomValue(actingAtom);
  const focus = useAtomValue(focusAtom);
  const table = useAtomValue(tableHostAtom);
  const panel = useAtomValue(panelHostAtom);
  // Context is read from the store at that moment: the dependencies say when it must be read again.
  return useMemo(() => (acting ? contextOf(acting) : undefined), [acting, focus, table, panel]);
}
