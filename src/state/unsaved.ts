import { tabStorage } from './browser-storage.ts';
import type { FormStart } from './layers.ts';
import type { UserSession } from './user-session.ts';

interface OpenInput {
  readonly input: FormStart;
  /** True while the form runs its command. */
  readonly isRunning: boolean;
}

/** The unsaved input of each open form, most recent last. */
const openInputs = new Map<symbol, OpenInput>();

/** Records a form's unsaved input. `open` is undefined if the form has none, or closes. */
export function recordUnsaved(form: symbol, open: OpenInput | undefined): void {
  openInputs.delete(form);
  if (open) openInputs.set(form, open);
}

const latestInput = (open: readonly OpenInput[] = [...openInputs.values()]): FormStart | undefined =>
  open.at(-1)?.input;

/** The latest input in a form that is not running its command. A running command may already have saved its input. */
const latestIdleInput = (): FormStart | undefined =>
  latestInput([...openInputs.values()].filter(({ isRunning }) => !isRunning));

interface StashedInput {
  readonly person: string;
  readonly organization: string;
  readonly input: FormStart;
}

const UNSAVED_KEY = 'quarterdeck-unsaved';

/** At most one input per organization. Undefined until the inputs stored before a reload have been read. */
let stash: readonly StashedInput[] | undefined;

function listStash(): readonly StashedInput[] {
  stash ??= read();
  return stash;
}

function withInput({ actor, organization }: UserSession, input: FormStart): readonly StashedInput[] {
  const others = listStash().filter((entry) => entry.organization !== organization.id);
  return [...others, { person: actor.id, organization: organization.id, input }];
}

/**
 * Stashes the latest unsaved input when a session ends, or when the user switches to another organization. Until the
 * page closes, the input is kept only in memory, because it may contain a secret.
 *
 * @returns false if there is no unsaved input
 */
export function stashUnsaved(session: UserSession, { isSwitching }: { readonly isSwitching: boolean }): boolean {
  const input = isSwitching ? latestIdleInput() : latestInput();
  if (input) stash = withInput(session, input);
  return input !== undefined;
}

/**
 * Returns the unsaved input that the user left in the organization when the session ended, they switched away, or the
 * page reloaded. Drops other people's input.
 */
export function takeUnsaved({ actor, organization }: UserSession): FormStart | undefined {
  const ownInputs = listStash().filter(({ person }) => person === actor.id);
  tabStorage.remove(UNSAVED_KEY);
  stash = ownInputs.filter((entry) => entry.organization !== organization.id);
  return ownInputs.find((entry) => entry.organization === organization.id)?.input;
}

/**
 * Stores the unsaved input for this tab, to survive a reload.
 *
 * @param toStorable returns the part of an input that can be stored, which excludes secrets, or undefined if there is
 *   none
 */
export function storeUnsaved(
  session: UserSession | undefined,
  toStorable: (input: FormStart) => FormStart | undefined,
): void {
  const input = session && latestIdleInput();
  const entries = (input ? withInput(session, input) : listStash()).flatMap((entry) => {
    const part = toStorable(entry.input);
    return part ? [{ ...entry, input: part }] : [];
  });
  if (entries.length > 0) tabStorage.set(UNSAVED_KEY, JSON.stringify(entries));
  else tabStorage.remove(UNSAVED_KEY);
}

function read(): readonly StashedInput[] {
  try {
    const storedInputs: unknown = JSON.parse(tabStorage.get(UNSAVED_KEY) ?? '[]');
    return Array.isArray(storedInputs) ? storedInputs.filter(isStashedInput) : [];
  } catch (error) {
    // The stored value isn't valid JSON.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isStashedInput(value: unknown): value is StashedInput {
  if (typeof value !== 'object' || value === null) return false;
  const { person, organization, input } = value as Partial<StashedInput>;
  return typeof person === 'string' && typeof organization === 'string' && isFormStart(input);
}

function isFormStart(value: unknown): value is FormStart {
  if (typeof value !== 'object' || value === null) return false;
  const { id, args, typed } = value as Partial<FormStart>;
  return typeof id === 'string' && typeof args === 'object' && args !== null && typeof (typed ?? {}) === 'object';
}
