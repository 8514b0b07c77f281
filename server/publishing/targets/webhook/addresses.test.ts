import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';

import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';

import { guardedLookup, findDenialReason } from './addresses.ts';
import type { Resolve } from './resolve-host.ts';
import { createSender, type Sender } from './send.ts';

const openResources: (Sender | TestReceiver)[] = [];
afterEach(async () => {
  for (const resource of openResources.splice(0)) await resource.close();
});

function openSender(allowLoopback: boolean, records: Record<string, string[]> = {}): Sender {
  const resolve: Resolve = (host, _, callback) => {
    const addresses: LookupAddress[] = (records[host] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, addresses);
  };
  const sender = createSender({ policy: { allowLoopback }, timeout: 1000, resolve });
  openResources.push(sender);
  return sender;
}

const post = (sender: Sender, url: string) =>
  sender.send({ url, headers: {}, body: new Uint8Array([1]) }, new AbortController().signal);

async function openReceiver(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...args);
  openResources.push(receiver);
  return receiver;
}

const portOf = (url: string) => new URL(url).port;

test.each([
  // Ordinary addresses.
  ['8.8.8.8', undefined],
  ['1.1.1.1', undefined],
  ['168.63.129.15', undefined],
  ['2606:4700::1111', undefined],
  ['2a00:1450:4001::1', undefined],
  ['::ffff:8.8.8.8', undefined],
  // IANA IPv4 Special-Purpose Address Registry.
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'carrierGradeNat'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.1.1', 'linkLocal'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.0.9', 'reserved'],
  ['192.0.0.170', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['192.31.196.1', 'as112'],
  ['192.52.193.1', 'amt'],
  ['192.88.99.1', 'reserved'],
  ['192.168.1.1', 'private'],
  ['192.175.48.1', 'as112'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  // IANA IPv6 Special-Purpose Address Registry.
  ['::1', 'loopback'],
  ['::', 'unspecified'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['64:ff9b::a00:1', 'rfc6052'],
  ['64:ff9b:1::a00:1', 'rfc6052'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'reserved'],
  ['2001::1', 'teredo'],
  ['2001:1::1', 'reserved'],
  ['2001:2::1', 'benchmarking'],
  ['2001:3::1', 'amt'],
  ['2001:4:112::1', 'as112v6'],
  ['2001:5::1', 'reserved'],
  ['2001:20::1', 'orchid2'],
  ['2001:30::1', 'droneRemoteIdProtocolEntityTags'],
  ['2001:db8::1', 'reserved'],
  ['2002:a00:1::', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'as112v6'],
  ['3fff::1', 'reserved'],
  ['5f00::1', 'segmentRouting'],
  ['fc00::1', 'uniqueLocal'],
  ['fd00::1', 'uniqueLocal'],
  ['fe80::1', 'linkLocal'],
  // Deprecated, or not allocated by IANA.
  ['::7f00:1', 'reserved'],
  ['::808:808', 'reserved'],
  ['::a9fe:a9fe', 'reserved'],
  ['::ffff:0:808:808', 'rfc6145'],
  ['1::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['e000::1', 'reserved'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
  // Cloud metadata services: AWS, GCP, Azure, Oracle, Alibaba.
  ['169.254.169.254', 'linkLocal'],
  ['::ffff:169.254.169.254', 'linkLocal'],
  ['fd00:ec2::254', 'uniqueLocal'],
  ['169.254.170.2', 'linkLocal'],
  ['fd20:ce::254', 'uniqueLocal'],
  ['168.63.129.16', 'cloud metadata'],
  ['::ffff:168.63.129.16', 'cloud metadata'],
  ['192.0.0.192', 'reserved'],
  ['fd00:c1::a9fe:a9fe', 'uniqueLocal'],
  ['100.100.100.200', 'carrierGradeNat'],
])('classifies %s as %s', (address, range) => {
  const reason = findDenialReason(address, { allowLoopback: false });
  expect(reason).toBe(range && `${address} isn't a public address (${range})`);
});

test('can allow loopback, but not private networks', () => {
  expect(findDenialReason('127.0.0.1', { allowLoopback: true })).toBeUndefined();
  expect(findDenialReason('::ffff:127.0.0.1', { allowLoopback: true })).toBeUndefined();
  for (const address of ['192.168.1.1', '168.63.129.16', '169.254.169.254', '::7f00:1', '64:ff9b::7f00:1']) {
    expect(findDenialReason(address, { allowLoopback: true }), address).toBeDefined();
  }
});

test('rejects an IPv4 address embedded in IPv6, even where loopback is allowed', async () => {
  const target = await openReceiver();
  const outcome = await post(openSender(true), `http://[::127.0.0.1]:${portOf(target.url)}/`);
  expect(outcome.error).toContain("isn't a public address (reserved)");
});

test.each(['http://127.0.0.1', 'http://[::1]', 'http://2130706433', 'http://0x7f.1', 'http://localhost'])(
  'rejects %s',
  async (origin) => {
    const target = await openReceiver();
    const outcome = await post(openSender(false, { localhost: ['127.0.0.1'] }), `${origin}:${portOf(target.url)}/`);
    expect(outcome).toMatchObject({ successful: false });
    expect(outcome.error).toContain("isn't a public address (loopback)");
    expect(target.received).toEqual([]);
  },
);

test('checks every address that a name resolves to', async () => {
  const target = await openReceiver();
  const names = { 'inside.example': ['127.0.0.1'], 'mixed.example': ['127.0.0.1', '10.0.0.1'] };
  expect(await post(openSender(true, names), `http://inside.example:${portOf(target.url)}/`)).toMatchObject({
    status: 204,
  });
  const outcome = await post(openSender(true, names), `http://mixed.example:${portOf(target.url)}/`);
  expect(outcome.error).toBe("Deliveries to mixed.example aren't allowed: 10.0.0.1 isn't a public address (private).");
  expect(target.received).toHaveLength(1);
});

test('treats a redirect as a failure, and does not follow it', async () => {
  const internalReceiver = await openReceiver();
  const target = await openReceiver((_, response) => response.writeHead(307, { Location: internalReceiver.url }).end());
  const outcome = await post(openSender(true), target.url);
  expect(outcome).toMatchObject({ successful: false, status: 307 });
  expect(outcome.error).toContain("don't follow");
  expect(internalReceiver.received).toEqual([]);
});

test('reports why a call failed', async () => {
  const silentReceiver = await openReceiver(() => {});
  expect((await post(openSender(true), silentReceiver.url)).error).toBe('No response within 1 s.');
  const closedServer = createServer();
  await new Promise<void>((resolve) => closedServer.listen(0, '127.0.0.1', resolve));
  const { port } = closedServer.address() as { port: number };
  await new Promise((resolve) => closedServer.close(resolve));
  expect((await post(openSender(true), `http://127.0.0.1:${port}/`)).error).toBe(
    'The receiver refused the connection.',
  );
  const disconnectingReceiver = await openReceiver((_, response) => response.destroy());
  expect((await post(openSender(true), disconnectingReceiver.url)).error).toBe('The receiver closed the connection.');
});

test('treats any 2xx status as a success, and quotes the response for any other', async () => {
  const outcomeFor = async (status: number, text = '') => {
    const target = await openReceiver((_, response) => response.writeHead(status).end(text));
    const { milliseconds, ...outcome } = await post(openSender(true), target.url);
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    return outcome;
  };
  for (const status of [200, 204, 299])
    expect(await outcomeFor(status)).toEqual({ successful: true, status, error: '' });
  expect(await outcomeFor(400)).toEqual({ successful: false, status: 400, error: 'HTTP 400' });
  expect(await outcomeFor(503, ' down\0 ')).toEqual({
    successful: false,
    status: 503,
    error: 'HTTP 503',
    response: 'down',
  });
  expect((await outcomeFor(500, 'x'.repeat(501))).response).toBe('x'.repeat(500));
  for (const status of [300, 399]) {
    const error = `HTTP ${status}: the receiver redirects the call, but deliveries don't follow redirects.`;
    expect(await outcomeFor(status, 'there')).toEqual({ successful: false, status, error });
  }
});

test('reads the first 500 bytes of a chunked response and does not wait for the rest', async () => {
  // The response never ends.
  const outcomeFor = async (firstChunk: string, second?: string) => {
    const target = await openReceiver((_, response) => {
      response.writeHead(500).write(firstChunk);
      if (second !== undefined) setTimeout(() => response.write(second), 50);
    });
    return (await post(openSender(true), target.url)).response;
  };
  expect(await outcomeFor('a'.repeat(499), 'bcd')).toBe(`${'a'.repeat(499)}b`);
  expect(await outcomeFor('a'.repeat(500))).toBe('a'.repeat(500));
});

test('reports the type of an error without a code', async () => {
  const sender = createSender({
    policy: { allowLoopback: true },
    timeout: 1000,
    resolve: (_, __, callback) => callback(new TypeError('The lookup failed.'), []),
  });
  openResources.push(sender);
  expect((await post(sender, 'http://a.example/')).error).toBe('The call failed (TypeError).');
});

test('measures the duration of a call', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const target = await openReceiver((_, response) => {
    now += 1234;
    response.end();
  });
  expect((await post(openSender(true), target.url)).milliseconds).toBe(1234);
});

test("reports why a URL can't be called and rejects after an abort", async () => {
  expect((await post(openSender(true), 'nonsense')).error).toBe("The URL isn't valid.");
  expect((await post(openSender(true), 'ftp://a.example/')).error).toMatch(/^The call failed \(\w+\)\.$/);
  expect((await post(openSender(true), 'http://nobody.example/')).error).toBe('nobody.example has no address.');
  const silentReceiver = await openReceiver(() => {});
  const stop = new AbortController();
  const sent = openSender(true).send({ url: silentReceiver.url, headers: {}, body: new Uint8Array() }, stop.signal);
  stop.abort(new Error('the worker is stopping'));
  await expect(sent).rejects.toThrow('the worker is stopping');
});

test('looks up all addresses, or only the first address, as requested', async () => {
  const addresses = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];
  const resolve: Resolve = (_, { all }, callback) => callback(null, all ? addresses : []);
  const lookUp = (all: boolean, resolver: Resolve = resolve) =>
    new Promise<unknown[]>((finish) => {
      guardedLookup({ allowLoopback: false }, resolver)('a.example', { all }, (...result) => finish(result));
    });
  expect(await lookUp(true)).toEqual([null, addresses]);
  expect(await lookUp(false)).toEqual([null, '8.8.8.8', 4]);
  const lookupError = new Error('ENOTFOUND');
  expect(await lookUp(true, (_, __, callback) => callback(lookupError, []))).toEqual([lookupError, []]);
});

test('rejects an invalid IP address', () => {
  expect(findDenialReason('nonsense', { allowLoopback: true })).toBe("nonsense isn't an IP address");
});
