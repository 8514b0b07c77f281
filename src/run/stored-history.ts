import type { CompletedRun } from '#commands/run/completed-run.ts';
import { EMPTY_HISTORY, type Entry, type History } from '#commands/run/history.ts';
import {
  isStoredChange,
  restoreRun,
  smallerVersions,
  toStoredChange,
  type StoredChange,
} from '#commands/run/stored-change.ts';
import { report } from '#src/net/report.ts';
import { directory, loadCommands, registry } from '#src/registry/registry.ts';
import { tabStorage } from '#src/state/browser-storage.ts';
import { store } from '#src/state/store.ts';
import { HISTORY_KEY, historyAtom } from '#src/state/work.ts';

/** Browsers limit the storage of a tab to about five million characters. */
const MAX_CHARS = 2_000_000;

interface StoredEntry extends Pick<Entry, 'undone' | 'undoRecords'> {
  readonly change: StoredChange;
}

/**
 * Keeps the history across reloads for the same user, so undo and repeat continue to work. If the storage is too small,
 * the oldest entries lose the data that undo needs. Undo then stops at these entries instead of skipping them.
 *
 * @param getUserId returns the id of the signed-in user
 */
export function persistHistory(getUserId: () => string | undefined): void {
  store.set(historyAtom, read(getUserId()));
  store.sub(historyAtom, () => write(getUserId));
}

function write(getUserId: () => string | undefined): void {
  const userId = getUserId();
  const { entries } = store.get(historyAtom);
  if (userId === undefined || entries.length === 0) return tabStorage.remove(HISTORY_KEY);
  let remainingChars = MAX_CHARS;
  const serialized: string[] = [];
  for (const entry of entries.toReversed()) {
    const text = serializeEntry(entry, remainingChars);
    // Omit older entries too because undo must not skip this entry.
    if (text === undefined) break;
    remainingChars -= text.length;
    serialized.unshift(text);
  }
  tabStorage.set(HISTORY_KEY, `{"person":${JSON.stringify(userId)},"entries":[${serialized.join()}]}`);
  const loadingInverses = loadCommands(
    entries.flatMap(({ run }) => (cachedVersions.has(run) ? [] : inverseCommands(run))),
  );
  loadingInverses?.then(() => write(getUserId), report);
}

const inverseCommands = ({ inverse = [] }: CompletedRun): readonly string[] => inverse.map(({ id }) => id);

/**
 * The serialized versions of a change, most complete first. Cached, because every write can include a change to a whole
 * fleet.
 */
const cachedVersions = new WeakMap<CompletedRun, readonly string[]>();

function versionsOf(run: CompletedRun): readonly string[] {
  const cached = cachedVersions.get(run);
  if (cached) return cached;
  // Only a loaded command declares which of its arguments are secret. Omit the inverse until its commands have loaded.
  const isLoaded = inverseCommands(run).every((id) => registry().command(id));
  const versions = serializeVersions(toStoredChange(isLoaded ? run : { ...run, inverse: undefined }, registry()));
  if (isLoaded) cachedVersions.set(run, versions);
  return versions;
}

function serializeVersions(change: StoredChange): readonly string[] {
  return [change, ...smallerVersions(change)].map((version) => JSON.stringify(version));
}

/** Returns the most complete version that fits. */
function serializeEntry({ run, undone, undoRecords = [] }: Entry, remainingChars: number): string | undefined {
  const records = undoRecords.length > 0 ? `"undoRecords":${JSON.stringify(undoRecords)},` : '';
  return versionsOf(run)
    .map((change) => `{"undone":${undone},${records}"change":${change}}`)
    .find(({ length }) => length <= remainingChars);
}

function read(userId: string | undefined): History {
  const storedHistory = parse(tabStorage.get(HISTORY_KEY));
  if (userId === undefined || storedHistory?.person !== userId || !Array.isArray(storedHistory.entries))
    return EMPTY_HISTORY;
  const entries = (storedHistory.entries as readonly unknown[]).filter(isStoredEntry);
  // A change made by a command that no longer exists can't be undone, so undo must not reach older changes either.
  const lastUnknown = entries.findLastIndex(({ change: { command } }) => directory().command(command) === undefined);
  return { entries: entries.slice(lastUnknown + 1).map(restoreEntry) };
}

function restoreEntry({ change, ...state }: StoredEntry): Entry {
  const run = restoreRun(change);
  cachedVersions.set(run, serializeVersions(change));
  return { ...state, run };
}

function parse(text: string | undefined): { readonly person?: unknown; readonly entries?: unknown } | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ReturnType<typeof parse>);
  } catch (error) {
    // The stored text has an unknown format, so start with an empty history.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isStoredEntry(value: unknown): value is StoredEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { undone, undoRecords, change } = value as Partial<StoredEntry>;
  const hasRecords = undoRecords === undefined || Array.isArray(undoRecords);
  return typeof undone === 'boolean' && hasRecords && isStoredChange(change);
}
