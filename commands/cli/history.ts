import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Change } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Done } from '#commands/run/done.ts';
import { changedSomething, type Entry } from '#commands/run/history.ts';
import { withoutSecrets } from '#commands/run/run.ts';
import { message, type Message } from '#commands/text/message.ts';

import { MAX_CHANGE_BYTES, type HistoryFiles } from './history-files.ts';

/** The version of the file format; other versions are not read. */
const FORMAT = 1;

/** Items that have the same value of a field after a change, or whose list changed in the same way. */
interface ResultingValues extends Pick<Change, 'field' | 'after' | 'added' | 'removed'> {
  readonly ids: readonly string[];
}

/**
 * The file format of a change: its summary, its inverse, and the resulting values. Contains no secrets, and no
 * arguments except those of the inverse.
 */
interface StoredChange {
  readonly format: typeof FORMAT;
  readonly at: string;
  readonly organization: string;
  readonly command: string;
  readonly summary?: Message;
  readonly inverse?: readonly Invocation[];
  readonly left?: readonly ResultingValues[];
  /** False for a change that undo skips: the server refused everything, or nothing differed. */
  readonly changed: boolean;
  readonly harmless?: boolean;
}

/** The stored change that undo reverts next. */
export interface UndoCandidate {
  readonly name: string;
  readonly entry: Entry;
  /** True if undo skips a later change. */
  readonly skippedLater: boolean;
}

/** A person's changes from terminals, kept on disk because every line is a separate process. */
export class TerminalHistory {
  private readonly files: HistoryFiles;
  private readonly registry: Registry;

  constructor(files: HistoryFiles, registry: Registry) {
    this.files = files;
    this.registry = registry;
  }

  /**
   * Stores a change. Returns false if its inverse is too large to store, so it cannot be undone from here.
   * @throws ErrnoException
   */
  remember(done: Done): boolean {
    const stored = this.storedChangeOf(done);
    // Drop the data for comparison first.
    const versions = [stored, { ...stored, left: undefined }, { ...stored, left: undefined, inverse: undefined }];
    for (const [index, version] of versions.entries()) {
      const text = textOf(version);
      if (text === undefined) continue;
      this.files.add(text);
      return index < versions.length - 1;
    }
    return false;
  }

  /**
   * The newest change of this owner that was not undone.
   * @throws CommandError if its file cannot be read; then nothing older is undone either.
   */
  newest(): UndoCandidate | undefined {
    let skippedLater = false;
    for (const name of this.files.names()) {
      const stored = this.read(name);
      if (stored?.changed) return { name, entry: entryOf(stored), skippedLater };
      skippedLater ||= stored !== undefined;
    }
    return undefined;
  }

  /** Keeps the remaining part of a change's inverse, or removes the file if nothing remains. */
  keepRemaining({ name, entry }: UndoCandidate, remaining: readonly Invocation[]): void {
    if (remaining.length === 0) return this.files.remove(name);
    const text = textOf(this.storedChangeOf({ ...entry.done, inverse: remaining }));
    if (text !== undefined) this.files.replace(name, text);
  }

  private storedChangeOf(done: Done): StoredChange {
    const { invocation, inverse, organization, summary, changes, harmless } = done;
    return {
      format: FORMAT,
      at: new Date().toISOString(),
      organization,
      command: invocation.id,
      ...(summary ? { summary } : {}),
      ...(inverse ? { inverse: inverse.map((item) => this.withoutSecrets(item)) } : {}),
      ...(changes ? { left: groupByValue(changes) } : {}),
      changed: changedSomething(done),
      ...(harmless ? { harmless } : {}),
    };
  }

  private withoutSecrets({ id, args }: Invocation): Invocation {
    const command = this.registry.command(id);
    if (!command) throw new RangeError(`no command '${id}'`);
    return { id, args: withoutSecrets(command, args) };
  }

  /** Undefined if another process has undone the change meanwhile. */
  private read(name: string): StoredChange | undefined {
    try {
      const stored = JSON.parse(this.files.read(name)) as unknown;
      if (isStoredChange(stored)) return stored;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    throw new CommandError(message('core:cli.history.unreadable', { path: this.files.path(name) }));
  }
}

/** Undefined if a change exceeds the limit for one file. */
function textOf(stored: StoredChange): string | undefined {
  try {
    const text = `${JSON.stringify(stored)}\n`;
    return Buffer.byteLength(text) > MAX_CHANGE_BYTES ? undefined : text;
  } catch (error) {
    // The text exceeds the maximum length of a string.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Groups items by field and value: a change of a fleet results in the same value 100,000 times. */
function groupByValue(changes: readonly Change[]): readonly ResultingValues[] {
  const groups = new Map<string, ResultingValues & { readonly ids: string[] }>();
  for (const { id, field, after, added, removed } of changes) {
    const values = { field, ...(added || removed ? { added, removed } : { after }) };
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ...values, ids: [id] });
  }
  return [...groups.values()];
}

function entryOf({ command, organization, summary, inverse, left, harmless }: StoredChange): Entry {
  const changes = left?.flatMap(({ ids, ...values }) => ids.map((id): Change => ({ id, label: id, ...values })));
  return {
    undone: false,
    done: {
      invocation: { id: command, args: {} },
      outcome: {},
      inverse,
      organization,
      summary,
      changes,
      ...(harmless ? { harmless } : {}),
    },
  };
}

function isStoredChange(value: unknown): value is StoredChange {
  if (!isObject(value)) return false;
  const { format, organization, command, summary, inverse, left, changed } = value;
  return (
    format === FORMAT &&
    typeof organization === 'string' &&
    typeof command === 'string' &&
    typeof changed === 'boolean' &&
    (summary === undefined || isMessage(summary)) &&
    isList(inverse, (item) => isObject(item) && typeof item['id'] === 'string' && isObject(item['args'])) &&
    isList(left, isResultingValues)
  );
}

function isResultingValues(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { field, ids, added, removed } = value;
  return isMessage(field) && Array.isArray(ids) && isList(added, isText) && isList(removed, isText);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isMessage = (value: unknown): boolean => isObject(value) && typeof value['key'] === 'string';

const isText = (value: unknown): boolean => typeof value === 'string' || isMessage(value);

const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isItem));
