import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';

import { expect, test, vi } from 'vitest';

import { EXIT } from './io.ts';
import { createTerminal, type TerminalProcess } from './terminal.ts';

class ExitError extends Error {
  readonly code: unknown;

  constructor(code: unknown) {
    super(`exited with ${String(code)}`);
    this.code = code;
  }
}

interface FakeTerminalOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly columns?: number;
  readonly launch?: { readonly file?: string; readonly env?: NodeJS.ProcessEnv };
}

/** Creates a fake process whose streams may be terminals, and records the text written to them. */
function fakeTerminal({
  stdin = false,
  stdout = false,
  stderr = false,
  columns,
  launch = {},
}: FakeTerminalOptions = {}) {
  const stream = (isTTY: boolean, more = {}) => Object.assign(new PassThrough(), { isTTY, ...more });
  const [input, output, errors] = [stream(stdin), stream(stdout, { columns }), stream(stderr, { columns })];
  const emitter = new EventEmitter();
  const signals: unknown[] = [];
  const fakeProcess = Object.assign(emitter, {
    env: { LANG: 'nl', ...launch.env },
    argv: ['/usr/bin/node', launch.file ?? '/clone/commands/cli/quarterdeck.mjs'],
    pid: 42,
    stdin: input,
    stdout: output,
    stderr: errors,
    exit: (code: unknown) => {
      throw new ExitError(code);
    },
    kill: (pid: number, signal: string) => {
      signals.push([pid, signal]);
      return emitter.emit(signal);
    },
  });
  const textOf = (stream: PassThrough): string => ((stream.read() as Buffer | null) ?? '').toString();
  return {
    io: createTerminal(fakeProcess as unknown as TerminalProcess),
    type: (keys: string) => void input.write(keys),
    close: () => void input.end(),
    out: () => textOf(output),
    err: () => textOf(errors),
    /** Ctrl-C outside a prompt. */
    interrupt: () => emitter.emit('SIGINT'),
    closeErrors: (code: string) => errors.emit('error', Object.assign(new Error(code), { code })),
    closeOutput: (code: string) => output.emit('error', Object.assign(new Error(code), { code })),
    signals,
  };
}
const inTerminal = { stdin: true, stdout: true, stderr: true, columns: 80 };

test('is interactive if standard input and standard error are terminals', () => {
  const { io } = fakeTerminal(inTerminal);
  expect([io.isInteractive, io.columns, io.env['LANG']]).toEqual([true, 80, 'nl']);
  expect(fakeTerminal({ ...inTerminal, stdout: false }).io.isInteractive).toBe(true);
  expect(fakeTerminal({ ...inTerminal, stdin: false }).io.isInteractive).toBe(false);
  expect(fakeTerminal({ ...inTerminal, stderr: false }).io.isInteractive).toBe(false);
});

test('names the program npx quarterdeck unless it was started as an installed binary', () => {
  const byNpx = { npm_command: 'exec' };
  const programOf = (file: string, env?: NodeJS.ProcessEnv) =>
    fakeTerminal({ launch: { file, ...(env ? { env } : {}) } }).io.program;
  expect(programOf('/home/me/.npm/_npx/1/node_modules/.bin/quarterdeck', byNpx)).toBe('npx quarterdeck');
  expect(programOf('/clone/commands/cli/quarterdeck.mjs')).toBe('npx quarterdeck');
  expect(programOf('/usr/local/bin/quarterdeck')).toBe('quarterdeck');
  expect(programOf('/usr/local/bin/quarterdeck', { npm_command: 'run-script' })).toBe('quarterdeck');
});

test('has a width only if standard output is a terminal that reports one', () => {
  expect(fakeTerminal({ ...inTerminal, columns: 0 }).io.columns).toBeUndefined();
  expect(fakeTerminal({ ...inTerminal, stdout: false }).io.columns).toBeUndefined();
});

test('writes results to standard output and notes to standard error', async () => {
  const { io, out, err, type, close } = fakeTerminal();
  io.out('a result');
  io.err('a note');
  expect([out(), err()]).toEqual(['a result', 'a note']);
  type('ABCD 0001\n');
  type('ABCD 0002\n');
  close();
  expect(new TextDecoder().decode(await io.readInput())).toBe('ABCD 0001\nABCD 0002\n');
});

test('shows progress on one line that the next output replaces', async () => {
  const { io, err, out, type } = fakeTerminal(inTerminal);
  io.status('1 of 3');
  io.status('2 of 3');
  expect(err()).toBe('\r\u001b[K1 of 3\r\u001b[K2 of 3');
  io.out('done');
  expect([err(), out()]).toEqual(['\r\u001b[K', 'done']);
  io.err('a note');
  io.status(undefined);
  expect(err()).toBe('a note');
  io.status('1 of 2');
  io.err('a note');
  expect(err()).toBe('\r\u001b[K1 of 2\r\u001b[Ka note');
  io.status('1 of 2');
  const answer = io.ask('Name? ', { hidden: true });
  type('x\r');
  expect(await answer).toBe('x');
  expect(err()).toBe('\r\u001b[K1 of 2\r\u001b[KName? \n');
});

test("hides progress if standard error isn't a terminal", () => {
  const { io, err } = fakeTerminal({ ...inTerminal, stderr: false });
  io.status('1 of 3');
  io.err('a note');
  expect(err()).toBe('a note');
});

test('allows many abort listeners without a warning from Node', () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const { signal } = fakeTerminal().io;
  for (let call = 0; call < 20; call++) signal.addEventListener('abort', () => undefined);
  expect(warn).not.toHaveBeenCalled();
});

test('interrupts the run on the first Ctrl-C and exits on the second', () => {
  const { io, interrupt } = fakeTerminal();
  expect(io.signal.aborted).toBe(false);
  interrupt();
  expect(io.signal.aborted).toBe(true);
  expect(interrupt).toThrow(new ExitError(EXIT.interrupted));
});

test('exits quietly if the reader closes the pipe, and stops at other output errors', async () => {
  const { closeOutput, io } = fakeTerminal();
  expect(() => closeOutput('EPIPE')).toThrow(new ExitError(EXIT.ok));
  expect(io.signal.aborted).toBe(false);
  closeOutput('ENOSPC');
  expect(io.signal.reason).toMatchObject({ userMessage: { key: 'core:cli.outputLost', values: { code: 'ENOSPC' } } });
});

test('continues if nobody reads its messages', () => {
  const { closeErrors, io } = fakeTerminal();
  closeErrors('EPIPE');
  expect(io.signal.aborted).toBe(false);
});

test('waits until the output is written', async () => {
  const { io, out } = fakeTerminal();
  io.out('a result');
  await io.flush();
  expect(out()).toBe('a result');
});

test('removes a file that it could write only partly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-terminal-'));
  const path = join(folder, 'logo.png');
  const { io } = fakeTerminal();
  const tooLarge = { length: 1 } as unknown as Uint8Array;
  expect(() => io.writeBytes(path, tooLarge)).toThrow('core:cli.notWritten');
  expect(existsSync(path)).toBe(false);
  expect(io.writeBytes(path, new Uint8Array([1]))).toBe(true);
  expect(io.writeBytes(path, new Uint8Array([2]))).toBe(false);
  expect(() => io.writeBytes(join(path, 'x'), new Uint8Array([2]))).toThrow('core:cli.notWritten');
  rmSync(folder, { recursive: true });
});

test('prompts on standard error and echoes the answer', async () => {
  const { io, type, out, err } = fakeTerminal(inTerminal);
  const answer = io.ask('Name? ');
  expect(err().split('Name? ')).toHaveLength(2);
  type('Pump\r');
  expect(await answer).toBe('Pump');
  expect(err()).toBe('Pump\r\n');
  expect(out()).toBe('');
});

test('prompts for a secret without echo and ends with a line break', async () => {
  const { io, type, out, err } = fakeTerminal(inTerminal);
  const answer = io.ask('Token? ', { hidden: true });
  type('hunter2\r');
  expect(await answer).toBe('hunter2');
  expect([err(), out()]).toEqual(['Token? \n', '']);
});

test('reads one answer per prompt', async () => {
  const { io, type } = fakeTerminal(inTerminal);
  const first = io.ask('One? ');
  type('1\r');
  expect(await first).toBe('1');
  const second = io.ask('Two? ');
  type('2\r');
  expect(await second).toBe('2');
});

test.each([{ hidden: false }, { hidden: true }])('interrupts the run on Ctrl-C in a prompt: %o', async (options) => {
  const { io, type, signals } = fakeTerminal(inTerminal);
  const answer = io.ask('Name? ', options);
  type('\u0003');
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  expect([signals, io.signal.aborted]).toEqual([[[42, 'SIGINT']], true]);
});

test('cancels the prompt if the run is interrupted', async () => {
  const { io, interrupt } = fakeTerminal(inTerminal);
  const answer = io.ask('Name? ');
  interrupt();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('reads files unchanged, or tells why it cannot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-terminal-'));
  const path = join(folder, 'ids.txt');
  writeFileSync(path, 'é\n');
  const { io } = fakeTerminal();
  expect([...io.readBytes(path)]).toEqual([0xc3, 0xa9, 0x0a]);
  expect(io.readBytes(folder)).toBe('directory');
  expect(io.readBytes(join(folder, 'missing'))).toBe('missing');
  expect(io.readBytes(join(path, 'inside a file'))).toBe('missing');
  expect(io.readBytes('nul\0')).toBe('missing');
  expect(io.readBytes('/dev/zero')).toBe('special');
  const largeFile = join(folder, 'large');
  writeFileSync(largeFile, '');
  truncateSync(largeFile, 64 * 1024 * 1024 + 1);
  expect(io.readBytes(largeFile)).toBe('tooLarge');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(io.readBytes(pipe)).toBe('special');
  rmSync(folder, { recursive: true });
});

test('shows no progress on a dumb terminal, which would print the escape sequences', () => {
  const { io, err } = fakeTerminal({ stderr: true, launch: { env: { TERM: 'dumb' } } });
  io.status('1 of 3');
  io.err('Done\n');
  expect(err()).toBe('Done\n');
});

test('keeps progress within one line of the terminal', () => {
  const { io, err } = fakeTerminal({ stderr: true, columns: 12 });
  io.status('1,000 of 5,000');
  expect(err()).toBe('\r\u001b[K1,000 of 5…');
  io.status('井井井井井井');
  expect(err()).toBe('\r\u001b[K井井井井井…');
  io.status('e\u0301'.repeat(11));
  expect(err()).toBe(`\r\u001b[K${'e\u0301'.repeat(11)}`);
});
