import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import type { Io } from '#commands/cli/io.ts';

let scratch: string | undefined;
/** Stands for the home of whoever tests: nothing is read from there, and nothing written. */
function scratchFolder(): string {
  if (scratch === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'quarterdeck-home-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    scratch = made;
  }
  return scratch;
}

export interface TestIo extends Io {
  /** What was printed. */
  readonly stdout: () => string;
  /** What was said on the error output. */
  readonly stderr: () => string;
  /** What was asked, as it was asked. */
  readonly asked: string[];
  /** The questions whose answers were not echoed. */
  readonly hidden: string[];
  /** How far the run said it was; undefined where it was done. */
  readonly statuses: readonly (string | undefined)[];
  readonly interrupt: () => void;
}

interface Given {
  readonly program?: string;
  readonly env?: Io['env'];
  readonly input?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** Somebody is there and answers with these, in turn. */
  readonly answers?: readonly string[];
}

/** A machine for one run of the command line: no terminal unless there are answers. */
export function testIo({
  program = 'npx quarterdeck',
  env = {},
  input = '',
  files = {},
  columns,
  answers,
}: Given = {}): TestIo {
  const [out, err, asked, hidden]: string[][] = [[], [], [], []];
  const statuses: (string | undefined)[] = [];
  const interrupted = new AbortController();
  const left = [...(answers ?? [])];
  return {
    env: { XDG_CONFIG_HOME: scratchFolder(), ...env },
    program,
    signal: interrupted.signal,
    columns,
    interactive: answers !== undefined,
    out: (text) => void out!.push(text),
    err: (text) => void err!.push(text),
    status: (text) => void statuses.push(text),
    async ask(question, options) {
      asked!.push(question);
      if (options?.hidden) hidden!.push(question);
      const answer = left.shift();
      if (answer === undefined) throw new Error(`nobody answers '${question}'`);
      return answer;
    },
    readInput: async () => input,
    readFile: (path) => files[path],
    readBytes: (path) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
    stdout: () => out!.join(''),
    stderr: () => err!.join(''),
    asked: asked!,
    hidden: hidden!,
    statuses,
    interrupt: () => interrupted.abort(),
  };
}
