import type { Acting } from './acting.ts';
import type { FormStart } from './layers.ts';

/** The input of each open form that nothing has saved yet, the latest last. */
const openInput = new Map<symbol, FormStart>();

/** Records the unsaved input of a form; undefined if it has none, or closes. */
export function recordUnsaved(form: symbol, input: FormStart | undefined): void {
  openInput.delete(form);
  if (input) openInput.set(form, input);
}

interface SetAside {
  readonly person: string;
  readonly organization: string;
  readonly input: FormStart;
}

let setAside: SetAside | undefined;

/** Sets the latest unsaved input aside when a session ends. Kept in memory only: it may contain a secret. */
export function setAsideUnsaved({ actor, organization }: Acting): void {
  const input = [...openInput.values()].at(-1);
  if (input) setAside = { person: actor.id, organization: organization.id, input };
}

/** Returns what this person typed in this organization before the session ended. Another person's input is dropped. */
export function takeUnsaved({ actor, organization }: Acting): FormStart | undefined {
  if (setAside?.person !== actor.id) setAside = undefined;
  if (setAside?.organization !== organization.id) return undefined;
  const { input } = setAside;
  setAside = undefined;
  return input;
}
