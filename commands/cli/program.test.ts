import { expect, test } from 'vitest';
import { cli } from './cli.ts';
import { organizationOf } from './connection.ts';
import { EXIT } from './io.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry } from './testkit/plain.ts';
import { execute, made } from './testkit/execute.ts';

test('every sentence calls the program as it was started', async () => {
  const of = made({ inverse: () => [{ id: 'gadget.reset', args: {} }] });
  for (const program of ['quarterdeck', 'npx quarterdeck']) {
    expect((await execute(of, {}, {}, { program })).err).toBe(`core:cli.undo line=${program} undo\n`);
    const [stranger, helped] = [testIo({ program }), testIo({ program })];
    expect(await cli(['gadgets'], stranger, gadgetRegistry)).toBe(EXIT.notPermitted);
    expect(stranger.stderr()).toContain(`: run ${program} login, or`);
    await cli(['gadget', 'tune', '--help'], helped, gadgetRegistry);
    expect(helped.stdout()).toMatch(new RegExp(`^  ${program} gadget tune`, 'm'));
  }
});

test('the organization is that of the option, else of the environment', () => {
  const io = (org: string) => testIo({ env: { QUARTERDECK_ORG: org } });
  expect([organizationOf({ org: 'a' }, io('b')), organizationOf({}, io('b')), organizationOf({}, io(''))]).toEqual([
    'a',
    'b',
    undefined,
  ]);
});

test('a word stands for standard input or for a file, each for itself', async () => {
  const text = async (word: string, answers?: string[]) => {
    const io = testIo({
      input: 'helth:1',
      files: { 'ids.txt': 'colour:2' },
      env: { XDG_CONFIG_HOME: '/nowhere' },
      answers,
    });
    return [await cli(['gadget', 'tune', word, 'installed'], io, gadgetRegistry), io.stderr()];
  };
  expect(await text('-')).toEqual([EXIT.usage, expect.stringContaining('“helth”')]);
  expect(await text('@ids.txt')).toEqual([EXIT.usage, expect.stringContaining('“colour”')]);
  expect(await text('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining('“@gone.txt”')]);
  expect(await text('@gone.txt')).toEqual([EXIT.usage, expect.stringContaining('            ^^^^^^^^^\n')]);
  // A person at the terminal types no input to the end.
  expect(await text('-', [])).toEqual([EXIT.usage, expect.stringContaining('“-”')]);
  expect(await text('*')).toEqual([EXIT.notPermitted, expect.stringContaining('http://127.0.0.1:7878')]);
});

test('a question that is interrupted ends the run as interrupted', async () => {
  const interrupting = async (ask: (io: ReturnType<typeof testIo>) => Promise<string>) => {
    const io = testIo({ answers: [], env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(['login'], { ...io, ask: () => ask(io) }, gadgetRegistry), io.stderr()];
  };
  const cancelled = [EXIT.interrupted, 'Cancelled.\n'];
  expect(await interrupting(() => Promise.reject(new DOMException('', 'AbortError')))).toEqual(cancelled);
  const torn = async (io: ReturnType<typeof testIo>) => {
    io.interrupt();
    return Promise.reject(new Error('torn off'));
  };
  expect(await interrupting(torn)).toEqual(cancelled);
  const broken = await interrupting(() => Promise.reject(new Error('broken')));
  expect(broken).toEqual([EXIT.failed, expect.not.stringContaining('Cancelled.')]);
});

test('a server that does not answer is named, with how to name another', async () => {
  const server = 'http://127.0.0.1:1';
  const io = { ...testIo(), readInput: () => Promise.reject(new Error('Nobody writes to standard input.')) };
  expect(await cli(['login', '--server', server, '--token', 'secret'], io, gadgetRegistry)).toBe(EXIT.failed);
  expect(io.stderr()).toBe(`Cannot reach ${server}. --server or QUARTERDECK_SERVER names another server.\n`);
  // One that no option named, but standard input or an answer.
  for (const given of [{ input: `${server}\nsecret\n` }, { answers: [server, 'secret'] }]) {
    const piped = testIo(given);
    expect(await cli(['login'], piped, gadgetRegistry)).toBe(EXIT.failed);
    expect(piped.stderr()).toContain(`Cannot reach ${server}.`);
  }
  const run = testIo();
  expect(await cli(['gadgets', '--server', server, '--token', 'secret'], run, gadgetRegistry)).toBe(EXIT.failed);
  expect(run.stderr()).toContain(`Cannot reach ${server}.`);
  const none = testIo();
  expect(await cli(['login', '--server', server], none, gadgetRegistry)).toBe(EXIT.usage);
  expect(none.stderr()).toContain('A token is needed');
  expect(none.stderr()).not.toContain('Cannot reach');
});

test('an option without its value is named, and words after login or logout are no sign-in', async () => {
  const sentence = async (...argv: string[]) => {
    const io = testIo({ env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(argv, io, gadgetRegistry), io.stderr()];
  };
  expect(await sentence('gadgets', '--org')).toEqual([EXIT.usage, expect.stringContaining('--org')]);
  expect(await sentence('login', 'now')).toEqual([EXIT.usage, '“login” takes no “now”.\n']);
  expect(await sentence('logout', 'now')).toEqual([EXIT.usage, '“logout” takes no “now”.\n']);
  expect(await sentence('undo', '2')).toEqual([EXIT.usage, '“undo” takes no “2”.\n']);
  expect(await sentence('undo', '--pln')).toEqual([EXIT.usage, expect.stringContaining('Did you mean --plan?')]);
  expect((await sentence('logout'))[0]).toBe(EXIT.ok);
  // Of a line that goes on in another there is nothing to point at.
  const [code, text] = await sentence('gadget', 'tune', 'helth:1\nx', 'installed');
  expect([code, String(text).includes('^')]).toEqual([EXIT.usage, false]);
});
