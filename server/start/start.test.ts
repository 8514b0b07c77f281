import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { freePort } from '#server/launch/free-port.mjs';
import { demoPerson } from '#server/testkit/server.ts';
import { failToStart, start } from '#server/testkit/start.ts';

const parentFolder = mkdtempSync(join(tmpdir(), 'quarterdeck-start-'));
afterAll(() => rmSync(parentFolder, { recursive: true, force: true }));
const folder = (name: string): string => join(parentFolder, name);

describe('a failed start', () => {
  test('explains an invalid option value', async () => {
    const expected = '--devices must be a whole number from 1 to 100000, not "many".';
    expect(await failToStart(['--devices', 'many'])).toEqual([2, expected]);
  });

  test('leaves the data unchanged when the port is taken', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupant.once('listening', resolve));
    const { port } = occupant.address() as AddressInfo;
    expect(await failToStart(['--port', String(port), '--data', folder('never'), '--fresh'])).toEqual([
      3,
      `Another program uses port ${port}. Choose another with --port.`,
    ]);
    occupant.close();
    expect(readdirSync(parentFolder)).not.toContain('never');
  });

  test('leaves a damaged data folder unchanged', async () => {
    mkdirSync(join(folder('damaged'), 'database'), { recursive: true });
    writeFileSync(join(folder('damaged'), 'sealing.key'), Buffer.alloc(32).toString('base64'));
    writeFileSync(join(folder('damaged'), 'database', 'PG_VERSION'), '18\n');
    const [code, output] = await failToStart(['--port', '0', '--data', folder('damaged')]);
    expect([code, output]).toEqual([5, expect.stringContaining('damaged')]);
    expect(readdirSync(join(folder('damaged'), 'database'))).toEqual(['PG_VERSION']);
  });
});

describe('a started server', () => {
  test('serves calls and sign-in at one address, locks its folder, and stops on Ctrl-C', async () => {
    const data = folder('data');
    const port = await freePort();
    const server = start(['--port', String(port), '--data', data, '--devices', '20', '--rate', '0']);
    const fetchHome = () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await expect.poll(async () => (await fetchHome())?.headers.get('refresh'), { timeout: 60_000 }).toBe('2');
    await expect.poll(server.output, { timeout: 120_000 }).toContain('Ctrl-C');
    expect((await fetchHome())?.headers.has('refresh')).toBe(false);
    const address = /http:\/\/\S+/.exec(server.output())?.[0] ?? '';
    const { email, password } = demoPerson('operator');
    const response = await fetch(`${address}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    });
    const { idToken } = (await response.json()) as { idToken: string };
    const caller = createClient(CurrentUserService, createGrpcTransport({ baseUrl: address }));
    const user = await caller.currentUser({}, { headers: { authorization: `Bearer ${idToken}` } });
    expect(user).toMatchObject({ email, currentOrganization: 'northwind' });

    expect(await failToStart(['--port', '0', '--data', data])).toEqual([
      4,
      expect.stringContaining('in use by process'),
    ]);

    server.signal('SIGINT');
    expect(await server.exited).toBe(0);
    const dataFiles = ['database', 'identity', 'quarterdeck.lock.1', 'sealing.key', 'server.lock'];
    expect(readdirSync(data).toSorted()).toEqual(dataFiles);
    expect(readFileSync(join(data, 'identity', 'accounts.sealed'), 'utf8')).not.toContain(password);
  }, 150_000);

  test('recovers a data folder after a kill during its creation', async () => {
    const data = folder('killed');
    const argv = ['--port', '0', '--data', data, '--devices', '20', '--rate', '0'];
    const killedServer = start(argv);
    await expect.poll(() => existsSync(join(data, 'database.initializing')), { timeout: 60_000 }).toBe(true);
    killedServer.signal('SIGKILL');
    await killedServer.exited;
    const next = start(argv);
    await expect.poll(next.output, { timeout: 120_000 }).toContain('Ctrl-C');
    next.signal('SIGINT');
    expect(await next.exited).toBe(0);
  }, 200_000);
});
