import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { changedSomething, type Entry } from '#commands/run/history.ts';
import {
  isStoredChange,
  restoreRun,
  smallerVersions,
  toStoredChange,
  type StoredChange,
} from '#commands/run/stored-change.ts';
import { message } from '#commands/text/message.ts';

import { FORMAT, MAX_CHANGE_BYTES, type HistoryFiles } from './history-files.ts';
import { readJournal, type UnfinishedChange } from './journal.ts';

/** A change as stored in its file. It has no arguments, because a terminal never repeats a change. */
interface StoredFile extends Omit<StoredChange, 'args'> {
  readonly format: typeof FORMAT;
  readonly at: string;
}

/** The stored change that undo reverts next. */
export interface UndoCandidate {
  readonly name: string;
  readonly entry: Entry;
  /** True if undo skips a later change. */
  readonly skippedLater: boolean;
}

/** The changes that a user made from terminals, stored on disk because every line runs in its own process. */
export class TerminalHistory {
  private readonly files: HistoryFiles;
  private readonly registry: Registry;

  constructor(files: HistoryFiles, registry: Registry) {
    this.files = files;
    this.registry = registry;
  }

  /**
   * Stores a change. Returns false if its inverse is too large to store, so a terminal cannot undo the change.
   *
   * @throws ErrnoException
   */
  add(completedRun: CompletedRun): boolean {
    const storedChange = toStoredChange(completedRun, this.registry);
    const versions = [storedChange, ...smallerVersions(storedChange)];
    for (const [index, version] of versions.entries()) {
      const text = textOf(version);
      if (text === undefined) continue;
      this.files.add(text);
      return index < versions.length - 1;
    }
    return false;
  }

  /** Stores a change before making it. Returns a function that removes it once the change has been made or added. */
  safeguard(pendingRun: CompletedRun): () => void {
    const text = textOf(toStoredChange(pendingRun, this.registry));
    if (text === undefined) return () => undefined;
    try {
      const name = this.files.add(text);
      return () => this.files.remove(name);
    } catch (error) {
      // Make the change even if the folder can't be written. `add` reports that afterwards.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return () => undefined;
    }
  }

  /**
   * Returns the newest change of this owner that was not undone.
   *
   * @throws CommandError if its file can't be read, or if it is still being made, because undo must not revert an older
   *   change instead.
   */
  newest(): UndoCandidate | undefined {
    let skippedLater = false;
    for (const name of this.files.names()) {
      const change = this.read(name);
      if (change?.changed) return { name, entry: { run: change.run, undone: false }, skippedLater };
      skippedLater ||= change !== undefined;
    }
    return undefined;
  }

  /** Stores the part of a change's inverse that remains after an undo, or removes the file if nothing remains. */
  storeRemaining({ name, entry }: UndoCandidate, remaining: readonly Invocation[]): void {
    if (remaining.length === 0) return this.files.remove(name);
    const text = textOf(toStoredChange({ ...entry.run, inverse: remaining }, this.registry));
    if (text !== undefined) this.files.replace(name, text);
  }

  /** Reads a change. Returns undefined if another process has undone it in the meantime. */
  private read(name: string): { readonly run: CompletedRun; readonly changed: boolean } | undefined {
    try {
      const text = this.files.read(name);
      const unfinished = readJournal(text, this.files.modifiedAt(name));
      if (unfinished) return requireEnded(unfinished);
      const storedChange = JSON.parse(text) as unknown;
      if (isStoredFile(storedChange)) return { run: restoreRun(storedChange), changed: storedChange.changed };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    throw new CommandError(message('core:cli.history.unreadable', { path: this.files.path(name) }));
  }
}

function requireEnded({ run, title, isRunning }: UnfinishedChange) {
  if (isRunning) throw new CommandError(message('running:history.busy', { title }));
  return { run, changed: changedSomething(run) };
}

function isStoredFile(value: unknown): value is StoredFile {
  return isStoredChange(value) && 'format' in value && value.format === FORMAT;
}

/** Returns the content of a change's file. Undefined if it exceeds the limit. */
function textOf({ args: _args, ...change }: StoredChange): string | undefined {
  const file: StoredFile = { format: FORMAT, at: new Date().toISOString(), ...change };
  try {
    const text = `${JSON.stringify(file)}\n`;
    return Buffer.byteLength(text) > MAX_CHANGE_BYTES ? undefined : text;
  } catch (error) {
    // The text exceeds the maximum length of a string.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
