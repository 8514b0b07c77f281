import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { silentLog } from '#server/base/log.ts';
import { PostgresListener } from './postgres-listener.ts';

const url = process.env['TEST_DATABASE_URL'];

test.runIf(url)(
  'after a lost connection, listeners hear that they missed something before they hear anything else',
  async () => {
    const channel = `lost_${process.pid}`;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const listener = new PostgresListener(
      () => new pg.Client({ connectionString: url, application_name: channel }),
      silentLog,
    );
    const heard: (number | 'missed')[] = [];
    const receive = (payload: string) => void heard.push(Number(payload));
    await listener.listen(channel, receive, () => heard.push('missed'));
    await listener.listen(`${channel}_b`, receive, () => undefined);
    await listener.listen(`${channel}_c`, receive, () => undefined);

    let sent = 0;
    const deadline = Date.now() + 60_000;
    while (heard.filter((item) => item === 'missed').length < 3 && Date.now() < deadline) {
      if (heard.at(-1) !== 'missed' && sent % 50 === 49) {
        await other.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
          channel,
        ]);
      }
      for (const value of [channel, `${channel}_b`, `${channel}_c`])
        await other.query('select pg_notify($1, $2)', [value, `${sent}`]);
      sent += 1;
    }
    await other.query('select pg_notify($1, $2)', [channel, '-1']);
    await expect.poll(() => heard.at(-1)).toBe(-1);

    expect(heard.filter((item) => item === 'missed').length).toBeGreaterThanOrEqual(3);
    // Every gap in what is heard has a 'missed' in it.
    const gaps = heard.slice(1).filter((item, index) => {
      const before = heard[index];
      return typeof item === 'number' && typeof before === 'number' && item >= 0 && item > before + 1;
    });
    expect(gaps).toEqual([]);
    await listener.close();
    await other.end();
  },
);

/** Passes on what arrives, until its network goes silent without a word to either side. */
async function network(server: string) {
  let silent = false;
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(server);
  const proxy = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
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

test.runIf(url)(
  'a connection that has gone silent is made anew, and listeners hear that they missed something',
  async () => {
    const channel = `silent_${process.pid}`;
    const path = await network(url ?? '');
    const listener = new PostgresListener(
      () => new pg.Client({ connectionString: path.url, connectionTimeoutMillis: 300 }),
      silentLog,
      { everyMs: 100, answerMs: 500 },
    );
    const heard: string[] = [];
    await listener.listen(
      channel,
      (payload) => heard.push(payload),
      () => heard.push('missed'),
    );
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const notify = (payload: string) => other.query('select pg_notify($1, $2)', [channel, payload]);
    await notify('before');
    await expect.poll(() => heard).toEqual(['before']);
    path.setSilent(true);
    await notify('lost');
    // Long enough for the connection to be cut, and for one that is made meanwhile to fail.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    path.setSilent(false);
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['before', 'missed']);
    await notify('after');
    await expect.poll(() => heard).toEqual(['before', 'missed', 'after']);
    await listener.close();
    await other.end();
    path.close();
  },
);
