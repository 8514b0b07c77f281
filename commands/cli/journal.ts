import { randomUUID } from 'node:crypto';
import process from 'node:process';

import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import {
  createUndoRecord,
  recordCalls,
  toInterruptedRun,
  type CallRecord,
  type CallRecorder,
  type RunRecord,
} from '#commands/run/run-record.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { storableStep } from '#commands/run/storable-args.ts';
import type { Message } from '#commands/text/message.ts';

import { FORMAT, MAX_CHANGE_BYTES, type HistoryFiles } from './history-files.ts';

/* A change that is being made has a file in the history, too: its record in the first line, then a line for each begin
   and end of a call. If the process is killed, undo reads there what was done. */

interface Header {
  readonly format: typeof FORMAT;
  readonly pid: number;
  /** True if every call has lines. Without lines, nothing was done. */
  readonly isFollowed: boolean;
  readonly harmless: boolean;
  readonly record: RunRecord;
}

interface CallLine extends CallRecord {
  readonly number: number | 'safeguard';
}

/** Follows a change until the history has it. */
export interface TerminalJournal extends CallRecorder {
  /** Stores commands that restore what the next calls delete. Returns a function for when their outcome is known. */
  safeguard(inverse: readonly Invocation[]): () => void;
  /** Forgets the change, because the history has it, or because nothing changed. */
  close(): void;
  /** Forgets the change because its run failed, unless the outcome of a call that deletes something is unknown. */
  fail(): void;
}

/** How often a running process shows that it is alive, and for how long that counts. */
const BEAT_MS = 5000;
const ALIVE_MS = 6 * BEAT_MS;

/**
 * Starts to follow a change. Returns undefined if it changes nothing, or if its file can't be written. A change
 * must not fail because of that.
 */
export function startJournal(
  preparedRun: PreparedRun,
  context: Context,
  registry: Pick<Registry, 'command'>,
  files: HistoryFiles,
): TerminalJournal | undefined {
  const { command, plan } = preparedRun;
  const isChange = command.effect === 'write' || command.effect === 'destructive';
  if (!isChange || !plan || changesNothing(plan)) return undefined;
  const stored = (steps: readonly Invocation[]) => steps.map((step) => storableStep(step, registry));
  const record = createUndoRecord(preparedRun, plan, context, { id: randomUUID(), startedAt: Date.now() });
  const header: Header = {
    format: FORMAT,
    pid: process.pid,
    isFollowed: plan.staged === true,
    harmless: plan.harmless === true,
    record: { ...record, inverse: stored(record.inverse) },
  };
  const name = unlessUnwritable(() => files.add(headerText(header)));
  if (name === undefined) return undefined;
  const beat = setInterval(() => unlessUnwritable(() => files.touch(name)), BEAT_MS);
  beat.unref();
  let isOpen = true;
  let isSafeguarded = false;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(beat);
    files.remove(name);
  };
  const put = (number: CallLine['number'], { inverse, ...call }: CallRecord): void => {
    if (!isOpen) return;
    const line: CallLine = { number, ...call, ...(inverse ? { inverse: stored(inverse) } : {}) };
    const isWritten = unlessUnwritable(() => files.append(name, toLine(line)));
    // Without this line, its items would count as untried.
    if (!isWritten) close();
  };
  return {
    ...recordCalls(async (number, call) => put(number, call)),
    safeguard: (inverse) => {
      put('safeguard', { ids: [], inverse });
      isSafeguarded = true;
      return () => void (isSafeguarded = false);
    },
    close,
    fail: () => (isSafeguarded ? clearInterval(beat) : close()),
  };
}

const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Returns the first line. A change that is too large to store only has its title, so undo can't skip it. */
function headerText(header: Header): string {
  const text = toLine(header);
  if (Buffer.byteLength(text) <= MAX_CHANGE_BYTES) return text;
  return toLine({ ...header, isFollowed: false, record: { ...header.record, ids: [], labels: [], inverse: [] } });
}

/** Returns undefined if the system rejects the write. */
function unlessUnwritable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** A change that is being made, or whose process was killed. */
export interface UnfinishedChange {
  readonly run: CompletedRun;
  readonly title: Message;
  readonly isRunning: boolean;
}

/** Reads the file of a change that has not ended. Returns undefined if the file has another content. */
export function readJournal(text: string, modifiedAt: number): UnfinishedChange | undefined {
  const [firstLine = '', ...lines] = text.split('\n');
  const header = parseHeader(firstLine);
  if (!header) return undefined;
  const { record, isFollowed, harmless, pid } = header;
  // The process can be killed while it writes a line. The call of an incomplete line has not begun, or is unanswered.
  const complete = lines.slice(0, -1).map((line) => JSON.parse(line) as CallLine);
  const calls = [...new Map(complete.map(({ number, ...call }) => [number, call])).values()];
  const hasCalls = isFollowed || calls.some(({ ids }) => ids.length > 0);
  const run = toInterruptedRun(record, hasCalls ? calls : [{ ids: record.ids }, ...calls]);
  return {
    title: record.summary,
    run: { ...run, ...(harmless ? { harmless } : {}) },
    isRunning: Date.now() - modifiedAt < ALIVE_MS && isAlive(pid),
  };
}

function parseHeader(line: string): Header | undefined {
  const value = JSON.parse(line) as Partial<Header> | null;
  return value?.format === FORMAT && typeof value.record === 'object' ? (value as Header) : undefined;
}

function isAlive(pid: number): boolean {
  // The process that reads a journal follows no change: the pid was used again, such as in another container.
  if (pid === process.pid) return false;
  try {
    // The signal 0 only checks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
