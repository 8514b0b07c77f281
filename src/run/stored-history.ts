import { registry } from '#commands/nouns/all.ts';
import type { Done } from '#commands/run/done.ts';
import { EMPTY, type Entry, type History } from '#commands/run/history.ts';
import {
  isStoredChange,
  restoredChange,
  smallerVersions,
  storedChangeOf,
  type StoredChange,
} from '#commands/run/stored-change.ts';
import { tabStorage } from '#src/state/browser-storage.ts';
import { store } from '#src/state/store.ts';
import { historyAtom } from '#src/state/work.ts';

/** In the storage of the tab, which ends with it: other tabs have their own history. */
const KEY = 'quarterdeck-history';

/** A tab may store some five million characters. */
const MAX_CHARS = 2_000_000;

interface StoredEntry {
  readonly undone: boolean;
  readonly change: StoredChange;
}

/**
 * Keeps the history over a reload, for the same person: undo and repeat go on. Entries that exceed the room lose what
 * undo needs, the oldest first, and are refused rather than skipped.
 * @param personId the id of the signed-in person
 */
export function keepHistory(personId: () => string | undefined): void {
  store.set(historyAtom, read(personId()));
  store.sub(historyAtom, () => write(personId(), store.get(historyAtom)));
}

function write(person: string | undefined, { entries }: History): void {
  if (person === undefined || entries.length === 0) return tabStorage.remove(KEY);
  let room = MAX_CHARS;
  const texts: string[] = [];
  for (const entry of entries.toReversed()) {
    const text = textOf(entry, room);
    // Nothing older either: undo must not skip this one.
    if (text === undefined) break;
    room -= text.length;
    texts.unshift(text);
  }
  tabStorage.set(KEY, `{"person":${JSON.stringify(person)},"entries":[${texts.join()}]}`);
}

/** The texts of a change, the most complete first. Cached: every write includes the changes of a whole fleet again. */
const cachedTexts = new WeakMap<Done, readonly string[]>();

function versionsOf(done: Done): readonly string[] {
  const cached = cachedTexts.get(done);
  if (cached) return cached;
  const change = storedChangeOf(done, registry);
  const texts = [change, ...smallerVersions(change)].map((version) => JSON.stringify(version));
  cachedTexts.set(done, texts);
  return texts;
}

/** The most complete version that fits. */
function textOf({ done, undone }: Entry, room: number): string | undefined {
  return versionsOf(done)
    .map((change) => `{"undone":${undone},"change":${change}}`)
    .find(({ length }) => length <= room);
}

function read(person: string | undefined): History {
  const stored = parse(tabStorage.get(KEY));
  if (person === undefined || stored?.person !== person || !Array.isArray(stored.entries)) return EMPTY;
  const entries = (stored.entries as readonly unknown[]).filter(isStoredEntry);
  // A command that no longer exists cannot be undone, and neither can older ones.
  const lastUnknown = entries.findLastIndex(({ change: { command } }) => registry.command(command) === undefined);
  return {
    entries: entries.slice(lastUnknown + 1).map(({ undone, change }) => ({ undone, done: restoredChange(change) })),
  };
}

function parse(text: string | undefined): { readonly person?: unknown; readonly entries?: unknown } | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ReturnType<typeof parse>);
  } catch (error) {
    // Not written by us: start over.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isStoredEntry(value: unknown): value is StoredEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { undone, change } = value as Partial<StoredEntry>;
  return typeof undone === 'boolean' && isStoredChange(change);
}
