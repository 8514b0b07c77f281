import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { EXIT, type Io } from './io.ts';

/** What a terminal needs of a process: this one, or a test's. */
export type Machine = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'pid' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'exit' | 'kill'
>;

/** The terminal that this process was started in. */
export function terminal(machine: Machine = process): Io {
  const { stdin, stdout, stderr } = machine;
  const interrupted = new AbortController();
  // Every call under way listens to it; of more than ten Node would warn, in the terminal, as of a leak.
  setMaxListeners(0, interrupted.signal);
  machine.on('SIGINT', () => {
    // The second one does not wait for calls under way.
    if (interrupted.signal.aborted) machine.exit(EXIT.interrupted);
    interrupted.abort();
  });
  // `quarterdeck devices | head` closes our output before we are done.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') machine.exit(EXIT.ok);
    throw error;
  });
  let hasStatus = false;
  const status = (text: string | undefined): void => {
    if (!stderr.isTTY || (text === undefined && !hasStatus)) return;
    stderr.write(`\r\u001b[K${text ?? ''}`);
    hasStatus = text !== undefined;
  };
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    status(undefined);
    stream.write(text);
  };
  return {
    program: programOf(machine),
    env: machine.env,
    signal: interrupted.signal,
    // A terminal that does not know its size says 0.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    interactive: stdin.isTTY && stderr.isTTY,
    out: (text) => write(stdout, text),
    err: (text) => write(stderr, text),
    status,
    ask: (question, { hidden = false } = {}) => {
      status(undefined);
      return ask(machine, question, hidden, interrupted.signal);
    },
    readInput: () => text(stdin),
    readFile: (path) => read(path)?.toString('utf8'),
    readBytes: read,
  };
}

const NAME = 'quarterdeck';

/** As it was started: by npx from a clone, unless a link on the PATH has its name. */
function programOf({ argv: [, file = ''], env }: Machine): string {
  const isInstalled = basename(file) === NAME && env['npm_command'] !== 'exec';
  return isInstalled ? NAME : `npx ${NAME}`;
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Why it cannot be read makes no difference: the sentence names the file.
    return undefined;
  }
}

async function ask(machine: Machine, question: string, hidden: boolean, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = machine;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true });
  // What is hidden is not echoed, and so the question has to be written past the reader; once it reads, or the terminal
  // itself would echo what is pasted at once.
  if (hidden) stderr.write(question);
  const stop = new AbortController();
  // In raw mode the terminal sends Ctrl-C to the reader rather than to the process.
  lines.on('SIGINT', () => {
    stop.abort();
    machine.kill(machine.pid, 'SIGINT');
  });
  try {
    return await lines.question(hidden ? '' : question, { signal: AbortSignal.any([signal, stop.signal]) });
  } finally {
    lines.close();
    if (hidden) stderr.write('\n');
  }
}
