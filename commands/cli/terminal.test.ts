import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';

import { EXIT } from './io.ts';
import { terminal, type Machine } from './terminal.ts';

class Exited extends Error {
  readonly code: unknown;

  constructor(code: unknown) {
    super(`exited with ${String(code)}`);
    this.code = code;
  }
}

interface Attached {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly columns?: number;
  readonly started?: { readonly as?: string; readonly env?: NodeJS.ProcessEnv };
}

/** A process whose streams are terminals where asked, and what somebody sees on them. */
function machine({ stdin = false, stdout = false, stderr = false, columns, started: how = {} }: Attached = {}) {
  const stream = (isTTY: boolean, more = {}) => Object.assign(new PassThrough(), { isTTY, ...more });
  const [input, output, errors] = [stream(stdin), stream(stdout, { columns }), stream(stderr)];
  const started = new EventEmitter();
  const signals: unknown[] = [];
  const of = Object.assign(started, {
    env: { LANG: 'nl', ...how.env },
    argv: ['/usr/bin/node', how.as ?? '/clone/commands/cli/quarterdeck.mjs'],
    pid: 42,
    stdin: input,
    stdout: output,
    stderr: errors,
    exit: (code: unknown) => {
      throw new Exited(code);
    },
    kill: (pid: number, signal: string) => {
      signals.push([pid, signal]);
      return started.emit(signal);
    },
  });
  const seen = (on: PassThrough): string => ((on.read() as Buffer | null) ?? '').toString();
  return {
    io: terminal(of as unknown as Machine),
    type: (keys: string) => void input.write(keys),
    close: () => void input.end(),
    out: () => seen(output),
    err: () => seen(errors),
    /** Ctrl-C outside a question. */
    interrupt: () => started.emit('SIGINT'),
    closeOutput: (code: string) => output.emit('error', Object.assign(new Error(code), { code })),
    signals,
  };
}
const inTerminal = { stdin: true, stdout: true, stderr: true, columns: 80 };

test('a person can answer where both the keyboard and the error output are a terminal', () => {
  const { io } = machine(inTerminal);
  expect([io.interactive, io.columns, io.env['LANG']]).toEqual([true, 80, 'nl']);
  expect(machine({ ...inTerminal, stdout: false }).io.interactive).toBe(true);
  expect(machine({ ...inTerminal, stdin: false }).io.interactive).toBe(false);
  expect(machine({ ...inTerminal, stderr: false }).io.interactive).toBe(false);
});

test('is called as it was started: by npx, or by a name of its own', () => {
  const byNpx = { npm_command: 'exec' };
  const called = (as: string, env?: NodeJS.ProcessEnv) =>
    machine({ started: { as, ...(env ? { env } : {}) } }).io.program;
  expect(called('/home/me/.npm/_npx/1/node_modules/.bin/quarterdeck', byNpx)).toBe('npx quarterdeck');
  expect(called('/clone/commands/cli/quarterdeck.mjs')).toBe('npx quarterdeck');
  expect(called('/usr/local/bin/quarterdeck')).toBe('quarterdeck');
  expect(called('/usr/local/bin/quarterdeck', { npm_command: 'run-script' })).toBe('quarterdeck');
});

test('tables are cut to a terminal that knows its width, and not for a file', () => {
  expect(machine({ ...inTerminal, columns: 0 }).io.columns).toBeUndefined();
  expect(machine({ ...inTerminal, stdout: false }).io.columns).toBeUndefined();
});

test('results and notes go to outputs of their own, and input is read to its end', async () => {
  const { io, out, err, type, close } = machine();
  io.out('a result');
  io.err('a note');
  expect([out(), err()]).toEqual(['a result', 'a note']);
  type('ABCD 0001\n');
  type('ABCD 0002\n');
  close();
  expect(await io.readInput()).toBe('ABCD 0001\nABCD 0002\n');
});

test('how far a run is stands on one line of its own, which whatever is written next replaces', async () => {
  const { io, err, out, type } = machine(inTerminal);
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

test('where nobody watches the error output, how far a run is goes unsaid', () => {
  const { io, err } = machine({ ...inTerminal, stderr: false });
  io.status('1 of 3');
  io.err('a note');
  expect(err()).toBe('a note');
});

test('however many calls wait for Ctrl-C, Node does not warn of it', () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const { signal } = machine().io;
  for (let call = 0; call < 20; call++) signal.addEventListener('abort', () => undefined);
  expect(warn).not.toHaveBeenCalled();
});

test('the first Ctrl-C interrupts, and the second ends a run that still waits', () => {
  const { io, interrupt } = machine();
  expect(io.signal.aborted).toBe(false);
  interrupt();
  expect(io.signal.aborted).toBe(true);
  expect(interrupt).toThrow(new Exited(EXIT.interrupted));
});

test('a reader that wants no more ends the run quietly, and any other failure of the output does not', () => {
  const { closeOutput } = machine();
  expect(() => closeOutput('EPIPE')).toThrow(new Exited(EXIT.ok));
  expect(() => closeOutput('EIO')).toThrow('EIO');
});

test('a question is asked on the error output, with its answer shown as it is typed', async () => {
  const { io, type, out, err } = machine(inTerminal);
  const answer = io.ask('Name? ');
  expect(err().split('Name? ')).toHaveLength(2);
  type('Pump\r');
  expect(await answer).toBe('Pump');
  expect(err()).toBe('Pump\r\n');
  expect(out()).toBe('');
});

test('a secret is asked for once, does not show, and leaves the cursor on a line of its own', async () => {
  const { io, type, out, err } = machine(inTerminal);
  const answer = io.ask('Token? ', { hidden: true });
  type('hunter2\r');
  expect(await answer).toBe('hunter2');
  expect([err(), out()]).toEqual(['Token? \n', '']);
});

test('what is typed after an answer is left for the next question', async () => {
  const { io, type } = machine(inTerminal);
  const first = io.ask('One? ');
  type('1\r');
  expect(await first).toBe('1');
  const second = io.ask('Two? ');
  type('2\r');
  expect(await second).toBe('2');
});

test.each([{ hidden: false }, { hidden: true }])('Ctrl-C in a question interrupts the run: %o', async (options) => {
  const { io, type, signals } = machine(inTerminal);
  const answer = io.ask('Name? ', options);
  type('\u0003');
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  expect([signals, io.signal.aborted]).toEqual([[[42, 'SIGINT']], true]);
});

test('an interrupted run is asked nothing more', async () => {
  const { io, interrupt } = machine(inTerminal);
  const answer = io.ask('Name? ');
  interrupt();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('files are read as they are, and one that cannot be read is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-terminal-'));
  const path = join(folder, 'ids.txt');
  writeFileSync(path, 'é\n');
  const { io } = machine();
  expect(io.readFile(path)).toBe('é\n');
  expect([...(io.readBytes(path) ?? [])]).toEqual([0xc3, 0xa9, 0x0a]);
  expect([io.readFile(folder), io.readBytes(join(folder, 'gone'))]).toEqual([undefined, undefined]);
  rmSync(folder, { recursive: true });
});
