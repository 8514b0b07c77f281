import { createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';

import { cli } from './cli.ts';
import { requestedOrganization } from './connection.ts';
import { EXIT } from './io.ts';
import { execute, createCountingCommand } from './testkit/execute.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry } from './testkit/plain.ts';

test("shows the program's name in messages as the user typed it", async () => {
  const command = createCountingCommand({ inverse: () => [{ id: 'gadget.reset', args: {} }] });
  for (const program of ['quarterdeck', 'npx quarterdeck']) {
    expect((await execute(command, {}, {}, { program })).err).toBe(`core:cli.undo line=${program} undo\n`);
    const [signedOut, help] = [testIo({ program }), testIo({ program })];
    expect(await cli(['gadgets'], signedOut, gadgetRegistry)).toBe(EXIT.notPermitted);
    expect(signedOut.stderr()).toContain(`. Run ${program} login, or`);
    await cli(['gadget', 'tune', '--help'], help, gadgetRegistry);
    expect(help.stdout()).toMatch(new RegExp(`^  ${program} gadget tune`, 'm'));
  }
});

test('reads the organization from --org, or else from the environment', () => {
  const io = (org: string) => testIo({ env: { QUARTERDECK_ORG: org } });
  expect([
    requestedOrganization({ org: 'a' }, io('b')),
    requestedOrganization({}, io('b')),
    requestedOrganization({}, io('')),
  ]).toEqual(['a', 'b', undefined]);
});

test('reads an argument from standard input or a file', async () => {
  const text = async (word: string, answers?: string[]) => {
    const io = testIo({
      input: 'helth:1',
      files: { 'ids.txt': 'color:2' },
      env: { XDG_CONFIG_HOME: '/nowhere' },
      answers,
    });
    return [await cli(['gadget', 'tune', word, 'installed'], io, gadgetRegistry), io.stderr()];
  };
  expect(await text('-')).toEqual([EXIT.usage, expect.stringContaining('“helth”')]);
  expect(await text('@ids.txt')).toEqual([EXIT.usage, expect.stringContaining('“color”')]);
  expect(await text('@missing.txt')).toEqual([
    EXIT.usage,
    expect.stringContaining("The file “missing.txt” doesn't exist"),
  ]);
  expect(await text('@missing.txt')).toEqual([EXIT.usage, expect.stringContaining('            ^^^^^^^^^^^^\n')]);
  expect(await text('@a\nb.txt')).toEqual([EXIT.usage, expect.stringContaining("The file “a b.txt” doesn't exist")]);
  const [, long] = await text(`@${'x'.repeat(100_000)}`);
  expect(long).toMatch(/^gadget tune @x{186}…\n {12}\^{188}\nThe file “x{200}” doesn't exist/);
  // On a terminal, standard input never ends.
  expect(await text('-', [])).toEqual([EXIT.usage, expect.stringContaining('“-”')]);
  expect(await text('*')).toEqual([EXIT.notPermitted, expect.stringContaining('http://127.0.0.1:7878')]);
});

test('refuses standard input and files that are not text', async () => {
  const problem = async (word: string) => {
    const io = testIo({ input: new Uint8Array([0x89, 0, 1]), files: { 'logo.png': '\0\u0001' } });
    return [await cli(['gadget', 'tune', word, 'installed'], io, gadgetRegistry), io.stderr()];
  };
  expect(await problem('-')).toEqual([EXIT.usage, expect.stringContaining("“-” isn't text. Use a text file")]);
  expect(await problem('@logo.png')).toEqual([EXIT.usage, expect.stringContaining("“logo.png” isn't text.")]);
});

test('exits as interrupted if a prompt is interrupted', async () => {
  const interruptedRun = async (ask: (io: ReturnType<typeof testIo>) => Promise<string>) => {
    const io = testIo({ answers: [], env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(['login'], { ...io, ask: () => ask(io) }, gadgetRegistry), io.stderr()];
  };
  const canceledResult = [EXIT.interrupted, 'Canceled.\n'];
  expect(await interruptedRun(() => Promise.reject(new DOMException('', 'AbortError')))).toEqual(canceledResult);
  const closedPrompt = async (io: ReturnType<typeof testIo>) => {
    io.interrupt();
    return Promise.reject(new Error('the prompt was closed'));
  };
  expect(await interruptedRun(closedPrompt)).toEqual(canceledResult);
  const failedRun = await interruptedRun(() => Promise.reject(new Error('broken')));
  expect(failedRun).toEqual([EXIT.failed, expect.not.stringContaining('Canceled.')]);
});

test('reports an unreachable server and explains how to choose another', async () => {
  const server = 'http://127.0.0.1:1';
  const io = { ...testIo(), readInput: () => Promise.reject(new Error('Standard input is empty.')) };
  expect(await cli(['login', '--server', server, '--token', 'secret'], io, gadgetRegistry)).toBe(EXIT.failed);
  expect(io.stderr()).toBe(`Can't reach ${server}. Choose another server with --server or QUARTERDECK_SERVER.\n`);
  // The server comes from standard input or from an answer, not from an option.
  for (const options of [{ input: `${server}\nsecret\n` }, { answers: [server, 'secret'] }]) {
    const pipedIo = testIo(options);
    expect(await cli(['login'], pipedIo, gadgetRegistry)).toBe(EXIT.failed);
    expect(pipedIo.stderr()).toContain(`Can't reach ${server}.`);
  }
  const run = testIo();
  expect(await cli(['gadgets', '--server', server, '--token', 'secret'], run, gadgetRegistry)).toBe(EXIT.failed);
  expect(run.stderr()).toContain(`Can't reach ${server}.`);
  const withoutToken = testIo();
  expect(await cli(['login', '--server', server], withoutToken, gadgetRegistry)).toBe(EXIT.usage);
  expect(withoutToken.stderr()).toContain('A token is required');
  expect(withoutToken.stderr()).not.toContain("Can't reach");
});

test('rejects extra words after login, logout, and undo, and an option without a value', async () => {
  const runCli = async (...argv: string[]) => {
    const io = testIo({ env: { XDG_CONFIG_HOME: '/nowhere' } });
    return [await cli(argv, io, gadgetRegistry), io.stderr()];
  };
  expect(await runCli('gadgets', '--org')).toEqual([EXIT.usage, expect.stringContaining('--org')]);
  expect(await runCli('login', 'now')).toEqual([EXIT.usage, '“login” takes no arguments. Leave out “now”.\n']);
  expect(await runCli('logout', 'now')).toEqual([EXIT.usage, '“logout” takes no arguments. Leave out “now”.\n']);
  expect(await runCli('undo', '2')).toEqual([EXIT.usage, '“undo” takes no arguments. Leave out “2”.\n']);
  expect(await runCli('undo', '--pln')).toEqual([EXIT.usage, expect.stringContaining('Did you mean --plan?')]);
  expect((await runCli('logout'))[0]).toBe(EXIT.ok);
  // If the line contains a line break, the message doesn't mark a position in it.
  const [code, text] = await runCli('gadget', 'tune', 'helth:1\nx', 'installed');
  expect([code, String(text).includes('^')]).toEqual([EXIT.usage, false]);
});

test('names the argument of a problem in a line that it must not repeat, or that has several lines', async () => {
  const problem = async (...words: string[]) => {
    const io = testIo();
    return [await cli(['gadget', 'tune', '*', 'installed', ...words], io, gadgetRegistry), io.stderr()];
  };
  expect(await problem('--password', '@missing')).toEqual([
    EXIT.usage,
    expect.stringMatching(/^--password: The file /),
  ]);
  expect(await problem('--volts', 'a\nb')).toEqual([EXIT.usage, expect.stringMatching(/^--volts: Please enter /)]);
});

test('fails if the output is lost, even after the command ended', async () => {
  const io = testIo();
  const flush = async () => io.interrupt(new CommandError(message('core:cli.outputLost', { code: 'ENOSPC' })));
  expect(await cli(['--help'], { ...io, flush }, gadgetRegistry)).toBe(EXIT.failed);
  expect(io.stderr()).toMatch(/^The output can't be written \(ENOSPC\)\. Check .+\.\n$/);
});

test('names the flag with an invalid value, and runs nothing', async () => {
  const io = testIo();
  expect(await cli(['gadget', 'tune', '*', '--yes=no'], io, gadgetRegistry)).toBe(EXIT.usage);
  expect(io.stderr()).toMatch(/^--yes: “no” is neither true nor false\. Write true or false\.\n$/);
});

test('names the file or folder that the system refuses access to', async () => {
  const io = testIo();
  const error = Object.assign(new Error(), { syscall: 'scandir', path: '/home/me/history', code: 'EACCES' });
  expect(await cli(['login'], { ...io, readInput: () => Promise.reject(error) }, gadgetRegistry)).toBe(EXIT.failed);
  expect(io.stderr()).toMatch(/^Can't access \/home\/me\/history \(EACCES\)\. Check the path/);
});

test('reports that the connection failed in the middle of a call', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const io = testIo();
  const code = await cli(['gadgets', '--server', url, '--token', 'x', '--json'], io, gadgetRegistry);
  server.close();
  expect([code, io.stderr()]).toEqual([
    EXIT.failed,
    `The connection to ${url} failed (ECONNRESET). Check the network and the server.\n`,
  ]);
  expect(JSON.parse(io.stdout())).toMatchObject({ error: { code: 'unavailable' } });
});
