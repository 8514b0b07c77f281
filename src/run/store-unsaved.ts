import type { Param } from '#commands/model/kinds.ts';
import { registry } from '#src/registry/registry.ts';
import type { FormStart } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { storeUnsaved } from '#src/state/unsaved.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { hasInput } from './use-unsaved.ts';

/** Stores the unsaved input of forms when the page closes, so it survives a reload. */
export function storeUnsavedOnPageHide(): void {
  window.addEventListener('pagehide', () => storeUnsaved(store.get(userSessionAtom), storablePart));
}

/** Returns the input without secrets and files, or undefined if nothing else was entered. */
function storablePart({ id, args, typed }: FormStart): FormStart | undefined {
  const command = registry().command(id);
  if (!command) return undefined;
  const storableValues = <Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isStorable(command.params[name])));
  const part = { id, args: storableValues(args), ...(typed ? { typed: storableValues(typed) } : {}) };
  return hasInput(command, part) ? part : undefined;
}

function isStorable(param: Param | undefined): boolean {
  if (param === undefined || param.kind === 'secret' || param.kind === 'file') return false;
  return !(param.kind === 'pairs' && param.hidden);
}
