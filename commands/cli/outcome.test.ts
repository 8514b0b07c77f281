import { afterAll, beforeAll, expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { succeededResults, type ItemResult } from '#commands/model/result.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget, gadgets, simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { EXIT } from './io.ts';
import type { TestIo } from './testkit/io.ts';
import { startTerminals, type Terminals } from './testkit/server.ts';

const LOCKED = {
  code: 'command',
  message: { key: 'core:error.server', values: { text: 'It is locked.' } },
  retryable: false,
};
const MANY = 20_000;

/** Fails for the given number of items and reveals a secret. */
const lock = command({
  id: 'gadget.lock',
  effect: 'write',
  plan: simplePlan,
  params: { gadgets: p.many(() => gadget), failing: p.number({ fallback: 0 }) },
  positional: ['gadgets'],
  run: async (_context, { gadgets: { items }, failing }) => ({
    results: items.map(({ id, name }, index): ItemResult => {
      return { id, label: name, ...(index < (failing ?? 0) ? { failure: LOCKED } : {}) };
    }),
    reveal: { label: { key: 'core:error.server', values: { text: 'Code' } }, value: '1234' },
  }),
  inverse: (_args, outcome) => [
    { id: 'gadget.lock', args: { gadgets: { ids: succeededResults(outcome).map(({ id }) => id) } } },
  ],
});

/** Has an inverse with more ids than a shell accepts in one word. */
const lockAll = command({
  id: 'gadget.lock-all',
  effect: 'write',
  plan: simplePlan,
  run: async () => ({}),
  inverse: () => [
    {
      id: 'gadget.lock',
      args: { gadgets: { ids: Array.from({ length: MANY }, (_, index) => `ABCD ${10_000 + index}`) } },
    },
  ],
});

let wipes = 0;
/** Can't be undone, so its plan requires typing the name. */
const wipe = command({
  id: 'gadget.wipe',
  effect: 'destructive',
  params: { code: p.secret() },
  plan: async () => ({
    summary: message('gadget:wipe'),
    count: 2,
    changes: [],
    reversible: false,
    confirm: 'North pump',
  }),
  run: async () => {
    wipes++;
    return {};
  },
});

/** Fails the whole run because of an argument, for another reason, or with a programming error. */
const fail = command({
  id: 'gadget.fail',
  effect: 'write',
  params: { cause: required(p.choice(['ARGUMENT', 'OTHER', 'DEFECT'])), atMost: p.number() },
  positional: ['cause'],
  plan: simplePlan,
  run: async (_context, { cause }) => {
    if (cause === 'DEFECT') throw new Error('undefined is not a function');
    throw new CommandError(
      message('core:error.server', { text: 'It is locked.' }),
      cause === 'ARGUMENT' ? 'atMost' : undefined,
    );
  },
});

const greet = command({
  id: 'gadget.greet',
  effect: 'write',
  plan: simplePlan,
  run: async () => ({ message: message('screen:device.title') }),
});

let terminal: TestIo | undefined;
/** Interrupts its own run after a change. */
const interrupt = command({
  id: 'gadget.interrupt',
  effect: 'write',
  plan: simplePlan,
  run: async () => {
    terminal?.interrupt();
    return { results: [{ id: 'CCCC DDDD', label: 'South pump' }] };
  },
});

const registry = createRegistry([{ entity: gadget, commands: [lock, lockAll, wipe, interrupt, fail, greet] }]);
let terminals: Terminals;
beforeAll(async () => {
  terminals = await startTerminals();
});
afterAll(() => terminals.close());
const run = (...argv: string[]) => terminals.run('operator', argv, {}, registry);

test('lists failed items with the reason, offers undo for the rest, and sets the exit code', async () => {
  const partialRun = await run('gadget', 'lock', 'state:ERROR', '--failing', '1');
  expect(partialRun.code).toBe(EXIT.someFailed);
  expect(partialRun.err).toMatch(/South pump +CCCC DDDD +It is locked\./);
  expect(partialRun.err).toMatch(/^undo: npx quarterdeck undo$/m);
  const failedRun = await run('gadget', 'lock', '*', '--failing', `${gadgets.length}`);
  expect([failedRun.code, failedRun.err.includes('undo:')]).toEqual([EXIT.failed, false]);
  expect((await run('gadget', 'lock', '*')).code).toBe(EXIT.ok);
});

test('prints results as JSON with --json', async () => {
  const { out } = await run('gadget', 'lock', 'state:ERROR', '--failing', '1', '--json');
  expect(JSON.parse(out)).toEqual({
    organization: 'northwind',
    command: 'gadget lock state:ERROR --failing 1',
    results: [
      { id: 'CCCC DDDD', label: 'South pump', error: { code: 'command', message: 'It is locked.' } },
      { id: 'EEEE FFFF', label: 'Well 7' },
    ],
    reveal: { label: 'Code', value: '1234' },
    undo: ["gadget lock 'EEEE FFFF'"],
  });
});

test('prints the error as JSON and on standard error', async () => {
  const failure = async (...argv: string[]) => {
    const { code, out, err } = await run(...argv, '--json');
    const { error } = JSON.parse(out) as { error: { message: string } };
    expect(err).toContain(error.message);
    return { exit: code, ...error };
  };
  expect(await failure('gadget', 'lock', 'pump')).toEqual({
    exit: EXIT.usage,
    code: 'usage',
    message: expect.stringContaining('“pump”'),
    argument: 'GADGETS',
  });
  expect(await failure('gadget', 'lock', '*', '--failing', 'x')).toMatchObject({
    code: 'usage',
    argument: '--failing',
  });
  expect(await failure('gadget', 'lock', '*', '--nothing')).toMatchObject({ exit: EXIT.usage, code: 'usage' });
  expect(await failure('gadget', 'nothing')).toMatchObject({ exit: EXIT.usage, code: 'usage' });
  expect(await failure('gadget', 'lock', 'state:WARNING')).toMatchObject({
    exit: EXIT.failed,
    code: 'nothing_matches',
  });
  expect(await failure('gadget', 'wipe')).toMatchObject({ exit: EXIT.usage, code: 'confirmation_needed' });
  expect(await failure('gadget', 'fail', 'OTHER')).toEqual({
    exit: EXIT.failed,
    code: 'failed',
    message: 'It is locked.',
  });
  expect(await failure('gadget', 'fail', 'ARGUMENT')).toMatchObject({ code: 'usage', argument: '--at-most' });
  expect(await failure('gadget', 'fail', 'DEFECT')).toMatchObject({ exit: EXIT.failed, code: 'unknown' });
  expect(await failure('gadget', 'greet', '--token', 'qd_x')).toMatchObject({
    exit: EXIT.notPermitted,
    code: 'unauthenticated',
  });
  expect(await failure('gadget', 'greet', '--server', 'http://127.0.0.1:1')).toMatchObject({
    exit: EXIT.failed,
    code: 'unavailable',
  });
});

test('prints a revealed secret once', async () => {
  expect((await run('gadget', 'lock', 'state:OK')).out).toBe('Code: 1234\n');
});

test("prints undo commands that fit into a shell if the history can't be written", async () => {
  expect((await run('gadget', 'lock-all')).err).toBe('undo: npx quarterdeck undo\n');
  const env = { XDG_CONFIG_HOME: '/dev/null' };
  const { err } = await terminals.run('operator', ['gadget', 'lock-all'], { env }, registry);
  const [reason, ...lines] = err.trimEnd().split('\n');
  expect(reason).toContain("/dev/null/quarterdeck/history can't be written (ENOTDIR)");
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.length < 128 * 1024)).toBe(true);
});

test('requires typing the name for an irreversible change', async () => {
  const answer = async (...answers: string[]) => {
    const { code } = await terminals.run('operator', ['gadget', 'wipe'], { answers }, registry);
    return [code, wipes];
  };
  expect(await answer('y')).toEqual([EXIT.failed, 0]);
  expect(await answer('yes')).toEqual([EXIT.failed, 0]);
  expect(await answer('')).toEqual([EXIT.failed, 0]);
  expect(await answer('north pump')).toEqual([EXIT.failed, 0]);
  expect(await answer(' North pump ')).toEqual([EXIT.ok, 1]);
  expect((await terminals.run('operator', ['gadget', 'wipe'], {}, registry)).code).toBe(EXIT.usage);
  expect((await terminals.run('operator', ['gadget', 'wipe', '--yes'], {}, registry)).code).toBe(EXIT.ok);
  expect(wipes).toBe(2);
});

test('prompts for a secret without echoing it', async () => {
  const options = { answers: ['1234', 'North pump'] };
  const line = ['gadget', 'wipe', '--code', '@ask'];
  const { prompts, hiddenPrompts } = await terminals.run('operator', line, options, registry);
  expect([prompts.length, hiddenPrompts]).toEqual([2, [prompts[0]]]);
});

test('exits as interrupted even if every change succeeded', async () => {
  const onStart = (io: TestIo) => void (terminal = io);
  expect((await terminals.run('operator', ['gadget', 'interrupt'], {}, registry, onStart)).code).toBe(EXIT.interrupted);
});

test('starts a failure message with the argument that caused the failure', async () => {
  const failure = async (cause: string) => {
    const { code, err } = await run('gadget', 'fail', cause);
    return [code, err];
  };
  expect(await failure('ARGUMENT')).toEqual([EXIT.usage, '--at-most: It is locked.\n']);
  expect(await failure('OTHER')).toEqual([EXIT.failed, 'It is locked.\n']);
  const [code, text] = await failure('DEFECT');
  expect([code, String(text).startsWith('undefined: ')]).toEqual([EXIT.failed, false]);
});

test('reads the language from LC_ALL, LC_MESSAGES, or LANG, in this order', async () => {
  const greeting = async (env: Record<string, string>) =>
    (await terminals.run('operator', ['gadget', 'greet'], { env }, registry)).out.trim();
  const [dutch, english] = ['Apparaten', 'Devices'];
  expect(await greeting({})).toBe(english);
  expect(await greeting({ LANG: 'nl_NL.UTF-8' })).toBe(dutch);
  expect(await greeting({ LC_MESSAGES: 'nl_NL' })).toBe(dutch);
  expect(await greeting({ LC_ALL: 'nl' })).toBe(dutch);
  expect(await greeting({ LC_ALL: '', LC_MESSAGES: 'en_GB', LANG: 'nl' })).toBe(english);
  expect(await greeting({ LC_ALL: 'en_GB', LC_MESSAGES: 'nl', LANG: 'nl' })).toBe(english);
});
