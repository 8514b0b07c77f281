import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { EXIT, type Io } from './io.ts';

/** The terminal that this process was started in. */
export function terminal(): Io {
  const interrupted = new AbortController();
  process.on('SIGINT', () => {
    // The second one does not wait for calls under way.
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupted.abort();
  });
  // `quarterdeck devices | head` closes our output before we are done.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  return {
    env: process.env,
    signal: interrupted.signal,
    // A terminal that does not know its size says 0.
    columns: (process.stdout.isTTY && process.stdout.columns) || undefined,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    watched: process.stderr.isTTY,
    out: (line) => void process.stdout.write(line),
    err: (line) => void process.stderr.write(line),
    ask: (question, { hidden = false } = {}) => ask(question, hidden, interrupted.signal),
    readInput: () => text(process.stdin),
    readFile: (path) => read(path)?.toString('utf8'),
    readBytes: read,
  };
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Why it cannot be read makes no difference: the sentence names the file.
    return undefined;
  }
}

async function ask(question: string, hidden: boolean, signal: AbortSignal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // What is hidden is not echoed, and so the question has to be written past the reader; once it reads, or the terminal itself would echo
  // what is pasted at once.
  if (hidden) process.stderr.write(question);
  const stop = new AbortController();
  // In raw mode the terminal sends Ctrl-C to the reader rather than to the process.
  lines.on('SIGINT', () => {
    stop.abort();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await lines.question(hidden ? '' : question, { signal: AbortSignal.any([signal, stop.signal]) });
  } finally {
    lines.close();
    if (hidden) process.stderr.write('\n');
  }
}
