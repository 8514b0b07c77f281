import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type Resolve, refusal } from './addresses.ts';
import { createSender, type Sender } from './send.ts';
import { startReceiver, type TestReceiver } from './test-kit.ts';

const open: (Sender | TestReceiver)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function sender(allowLoopback: boolean, answers: Record<string, string[]> = {}): Sender {
  const resolve: Resolve = (host, _, callback) => {
    const addresses: LookupAddress[] = (answers[host] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, addresses);
  };
  const made = createSender({ policy: { allowLoopback }, timeout: 1_000, resolve });
  open.push(made);
  return made;
}

const post = (from: Sender, url: string) =>
  from.send({ url, headers: {}, body: new Uint8Array([1]) }, new AbortController().signal);

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const started = await startReceiver(...answer);
  open.push(started);
  return started;
}

const portOf = (url: string) => new URL(url).port;

test.each([
  ['8.8.8.8', undefined],
  ['2606:4700::1111', undefined],
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'linkLocal'],
  ['100.64.0.1', 'carrierGradeNat'],
  ['0.0.0.0', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['fe80::1', 'linkLocal'],
  ['fd00::1', 'uniqueLocal'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a00:1', 'rfc6052'],
  ['2002:a00:1::', '6to4'],
])('%s is judged as %s', (address, range) => {
  const reason = refusal(address, { allowLoopback: false });
  expect(reason).toBe(range && `${address} is not a public address (${range})`);
});

test('loopback can be allowed, private networks cannot', () => {
  expect(refusal('127.0.0.1', { allowLoopback: true })).toBeUndefined();
  expect(refusal('::ffff:127.0.0.1', { allowLoopback: true })).toBeUndefined();
  expect(refusal('192.168.1.1', { allowLoopback: true })).toBeDefined();
});

test.each(['http://127.0.0.1', 'http://[::1]', 'http://2130706433', 'http://0x7f.1', 'http://localhost'])(
  '%s is not called',
  async (origin) => {
    const target = await receiver();
    const outcome = await post(sender(false, { localhost: ['127.0.0.1'] }), `${origin}:${portOf(target.url)}/`);
    expect(outcome).toMatchObject({ successful: false });
    expect(outcome.error).toContain('not a public address (loopback)');
    expect(target.received).toEqual([]);
  },
);

test('a name is judged by every address that it resolves to', async () => {
  const target = await receiver();
  const names = { 'inside.example': ['127.0.0.1'], 'mixed.example': ['127.0.0.1', '10.0.0.1'] };
  expect(await post(sender(true, names), `http://inside.example:${portOf(target.url)}/`)).toMatchObject({
    status: 204,
  });
  const outcome = await post(sender(true, names), `http://mixed.example:${portOf(target.url)}/`);
  expect(outcome.error).toBe('Deliveries do not go to mixed.example: 10.0.0.1 is not a public address (private).');
  expect(target.received).toHaveLength(1);
});

test('a redirect is a failure, and is not followed', async () => {
  const inside = await receiver();
  const target = await receiver((_, response) => response.writeHead(307, { Location: inside.url }).end());
  const outcome = await post(sender(true), target.url);
  expect(outcome).toMatchObject({ successful: false, status: 307 });
  expect(outcome.error).toContain('do not follow');
  expect(inside.received).toEqual([]);
});

test('says in plain words what went wrong', async () => {
  const silent = await receiver(() => {});
  expect((await post(sender(true), silent.url)).error).toBe('No answer within 1 s.');
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  expect((await post(sender(true), `http://127.0.0.1:${port}/`)).error).toBe('The receiver refused the connection.');
  const rude = await receiver((_, response) => response.destroy());
  expect((await post(sender(true), rude.url)).error).toBe('The receiver broke off the connection.');
});
