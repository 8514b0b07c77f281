import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import type { Io } from '#commands/cli/io.ts';

let scratch: string | undefined;
/** Creates a temporary home folder, so tests never read or write the real one. */
function scratchFolder(): string {
  if (scratch === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-home-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    scratch = folder;
  }
  return scratch;
}

export interface TestIo extends Io {
  /** The text printed on standard output. */
  readonly stdout: () => string;
  /** The text printed on standard error. */
  readonly stderr: () => string;
  /** The prompts, as shown. */
  readonly prompts: string[];
  /** The prompts with hidden answers. */
  readonly hiddenPrompts: string[];
  /** The progress reports, with undefined each time the progress was cleared. */
  readonly statuses: readonly (string | undefined)[];
  /** The files written, by path. */
  readonly written: ReadonlyMap<string, Uint8Array>;
  readonly interrupt: (reason?: unknown) => void;
}

interface IoOptions {
  readonly program?: string;
  readonly env?: Io['env'];
  readonly input?: string | Uint8Array;
  readonly files?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** The user's answers to the prompts, in order. */
  readonly answers?: readonly string[];
}

/** Creates a fake environment for one run of the command line. It is interactive only if there are `answers`. */
export function testIo({
  program = 'npx quarterdeck',
  env = {},
  input = '',
  files = {},
  columns,
  answers,
}: IoOptions = {}): TestIo {
  const [out, err, prompts, hiddenPrompts]: string[][] = [[], [], [], []];
  const written = new Map<string, Uint8Array>();
  const statuses: (string | undefined)[] = [];
  const interruption = new AbortController();
  const remainingAnswers = [...(answers ?? [])];
  return {
    env: { XDG_CONFIG_HOME: scratchFolder(), ...env },
    program,
    signal: interruption.signal,
    columns,
    isInteractive: answers !== undefined,
    out: (text) => void out!.push(text),
    err: (text) => void err!.push(text),
    flush: async () => undefined,
    status: (text) => void statuses.push(text),
    async ask(question, options) {
      prompts!.push(question);
      if (options?.hidden) hiddenPrompts!.push(question);
      const answer = remainingAnswers.shift();
      if (answer === undefined) throw new Error(`The test has no answer for "${question}".`);
      return answer;
    },
    readInput: async () => (typeof input === 'string' ? new TextEncoder().encode(input) : input),
    writeBytes: (path, bytes) => {
      if (written.has(path)) return false;
      written.set(path, bytes);
      return true;
    },
    written,
    readBytes: (path) => (files[path] === undefined ? 'missing' : new TextEncoder().encode(files[path])),
    stdout: () => out!.join(''),
    stderr: () => err!.join(''),
    prompts: prompts!,
    hiddenPrompts: hiddenPrompts!,
    statuses,
    interrupt: (reason) => interruption.abort(reason),
  };
}
