import { setMaxListeners } from 'node:events';
import { closeSync, fstatSync, openSync, readSync, rmSync, writeFileSync, constants } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';

import { EXIT, type FileProblem, type Io } from './io.ts';
import { plainText, truncate } from './table.ts';

/** The part of a process that a terminal needs. Tests replace it. */
export type TerminalProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'pid' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'exit' | 'kill'
>;

/** Creates the input and output for the terminal that started this process. */
export function createTerminal(proc: TerminalProcess = process): Io {
  const { stdin, stdout, stderr } = proc;
  const interruption = new AbortController();
  // Every call in flight adds a listener. With more than ten, Node would print a warning about a leak.
  setMaxListeners(0, interruption.signal);
  proc.on('SIGINT', () => {
    // The second Ctrl-C doesn't wait for calls in flight.
    if (interruption.signal.aborted) proc.exit(EXIT.interrupted);
    interruption.abort();
  });
  // `quarterdeck devices | head` closes our output early.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') proc.exit(EXIT.ok);
    // Stops what is running as Ctrl-C does, because its output is lost.
    const { code = error.message } = error;
    interruption.abort(new CommandError(message('core:cli.outputLost', { code })));
  });
  // `quarterdeck … 2>&1 | head` closes both, and a change must still finish.
  stderr.on('error', () => undefined);
  let hasStatus = false;
  const status = (text: string | undefined): void => {
    // A dumb terminal can't erase the previous status.
    if (!stderr.isTTY || proc.env['TERM'] === 'dumb' || (text === undefined && !hasStatus)) return;
    // A status that wraps to a second line couldn't be erased either. A terminal of unknown size reports 0.
    stderr.write(`\r\u001b[K${truncate(plainText(text ?? ''), (stderr.columns || Infinity) - 1)}`);
    hasStatus = text !== undefined;
  };
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    status(undefined);
    stream.write(text);
  };
  return {
    program: programName(proc),
    env: proc.env,
    signal: interruption.signal,
    // A terminal of unknown size reports 0.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    isInteractive: stdin.isTTY && stderr.isTTY,
    out: (text) => write(stdout, text),
    err: (text) => write(stderr, text),
    // A stream reports an error only after the callback of the write.
    flush: () => new Promise((resolve) => stdout.write('', () => setImmediate(resolve))),
    status,
    ask: (question, { hidden = false } = {}) => {
      status(undefined);
      return ask(proc, question, hidden, interruption.signal);
    },
    readInput: () => readInput(stdin),
    readBytes,
    writeBytes,
  };
}

const NAME = 'quarterdeck';

/** Returns the command that started this process: `quarterdeck` if it is installed, or else `npx quarterdeck`. */
function programName({ argv: [, file = ''], env }: TerminalProcess): string {
  const isInstalled = basename(file) === NAME && env['npm_command'] !== 'exec';
  return isInstalled ? NAME : `npx ${NAME}`;
}

/** The maximum size of a file and of standard input, in bytes. The message about a larger one states it, too. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** Codes for a path that leads nowhere. */
const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/** Reads standard input to its end. */
async function readInput(stdin: NodeJS.ReadStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Buffer | string);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) throw new CommandError(message('core:cli.inputTooLarge'));
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Reads a file, or what the shell passes as one (`<(…)`). */
function readBytes(path: string): Buffer | FileProblem {
  let file: number | undefined;
  try {
    // Opening a named pipe would otherwise wait for its writer, and Ctrl-C couldn't end that.
    const isPassedByShell = /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path);
    file = openSync(path, constants.O_RDONLY | (isPassedByShell ? 0 : constants.O_NONBLOCK));
    const stats = fstatSync(file);
    if (stats.isDirectory()) return 'directory';
    if (!isPassedByShell && !stats.isFile()) return 'special';
    return readToEnd(file) ?? 'tooLarge';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return MISSING.has(code) ? 'missing' : code === 'ENXIO' ? 'special' : 'unreadable';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Writes a new file. Returns false if there already is one. */
function writeBytes(path: string, bytes: Uint8Array): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'wx');
    writeFileSync(file, bytes);
    return true;
  } catch (error) {
    const { code = '', message: reason } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // Part of a file would look like the file.
    if (file !== undefined) rmSync(path, { force: true });
    throw new CommandError(message('core:cli.notWritten', { path, code: code || reason }));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Undefined if the file is too large. */
function readToEnd(file: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_INPUT_BYTES;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(file, chunk);
    if (length === 0) return Buffer.concat(chunks, size);
    chunks.push(chunk.subarray(0, length));
    size += length;
  }
  return undefined;
}

async function ask(proc: TerminalProcess, question: string, hidden: boolean, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = proc;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true });
  // A hidden answer is not echoed, so the question bypasses the reader. Write the question only once the reader is
  // active, or the terminal itself would echo pasted text.
  if (hidden) stderr.write(question);
  const stop = new AbortController();
  // In raw mode, the terminal sends Ctrl-C to the reader instead of the process.
  lines.on('SIGINT', () => {
    stop.abort();
    proc.kill(proc.pid, 'SIGINT');
  });
  try {
    return await lines.question(hidden ? '' : question, { signal: AbortSignal.any([signal, stop.signal]) });
  } finally {
    lines.close();
    if (hidden) stderr.write('\n');
  }
}
