import { connect, createServer, type Socket } from 'node:net';

import pg from 'pg';
import { expect, test } from 'vitest';

import { silentLog } from '#server/base/log.ts';

import { PostgresListener } from './postgres-listener.ts';

const url = process.env['TEST_DATABASE_URL'];

test.runIf(url)('reports missed notifications after a lost connection, before new notifications arrive', async () => {
  const channel = `lost_${process.pid}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const listener = new PostgresListener(
    () => new pg.Client({ connectionString: url, application_name: channel, pipeline: true }),
    silentLog,
  );
  const received: (number | 'missed')[] = [];
  const receive = (payload: string) => void received.push(Number(payload));
  await listener.listen(channel, receive, () => received.push('missed'));
  await listener.listen(`${channel}_b`, receive, () => undefined);
  await listener.listen(`${channel}_c`, receive, () => undefined);

  let sent = 0;
  const deadline = Date.now() + 60_000;
  while (received.filter((item) => item === 'missed').length < 3 && Date.now() < deadline) {
    if (received.at(-1) !== 'missed' && sent % 50 === 49) {
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        channel,
      ]);
    }
    for (const target of [channel, `${channel}_b`, `${channel}_c`])
      await client.query('select pg_notify($1, $2)', [target, `${sent}`]);
    sent += 1;
  }
  await client.query('select pg_notify($1, $2)', [channel, '-1']);
  await expect.poll(() => received.at(-1)).toBe(-1);

  expect(received.filter((item) => item === 'missed').length).toBeGreaterThanOrEqual(3);
  // Every gap in the notifications contains a 'missed'.
  const gaps = received.slice(1).filter((item, index) => {
    const before = received[index];
    return typeof item === 'number' && typeof before === 'number' && item >= 0 && item > before + 1;
  });
  expect(gaps).toEqual([]);
  await listener.close();
  await client.end();
});

/** Starts a proxy that can go silent without notifying either side. */
async function startProxy(server: string) {
  let silent = false;
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(server);
  const proxy = createServer((clientSocket) => {
    const serverSocket = connect(Number(port || 5432), hostname);
    sockets.push(clientSocket, serverSocket);
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      from.on('data', (bytes: Buffer) => silent || to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => silent || to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as { port: number }).port);
  return {
    url: url.href,
    setSilent: (value: boolean) => void (silent = value),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

test.runIf(url)('replaces a silent connection, and reports missed notifications to listeners', async () => {
  const channel = `silent_${process.pid}`;
  const proxy = await startProxy(url ?? '');
  const listener = new PostgresListener(
    () => new pg.Client({ connectionString: proxy.url, connectionTimeoutMillis: 300, pipeline: true }),
    silentLog,
    { everyMs: 100, timeoutMs: 500 },
  );
  const received: string[] = [];
  await listener.listen(
    channel,
    (payload) => received.push(payload),
    () => received.push('missed'),
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const notify = (payload: string) => client.query('select pg_notify($1, $2)', [channel, payload]);
  await notify('before');
  await expect.poll(() => received).toEqual(['before']);
  proxy.setSilent(true);
  await notify('lost');
  // Wait until the connection has been cut and a new connection has failed.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  proxy.setSilent(false);
  await expect.poll(() => received, { timeout: 10_000 }).toEqual(['before', 'missed']);
  await notify('after');
  await expect.poll(() => received).toEqual(['before', 'missed', 'after']);
  await listener.close();
  await client.end();
  proxy.close();
});
