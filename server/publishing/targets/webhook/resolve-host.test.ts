import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { afterEach, expect, test } from 'vitest';

import { startReceiver } from '#server/testkit/publishing.ts';

import { createDnsResolver } from './resolve-host.ts';
import { createSender } from './send.ts';

const openResources: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of openResources.splice(0)) await resource.close();
});

/**
 * Starts a DNS server that sends the result of `replyTo`, or nothing if that is undefined.
 *
 * @returns its address
 */
async function startDnsServer(replyTo: (question: Buffer, name: string) => Buffer | undefined): Promise<string> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const reply = replyTo(question, nameIn(question));
    if (reply !== undefined) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  openResources.push(socket);
  return `127.0.0.1:${socket.address().port}`;
}

/** Reads the name in a DNS question: labels from byte 12 on, each preceded by its length (RFC 1035). */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let offset = 12; question[offset]; offset += 1 + (question[offset] ?? 0)) {
    labels.push(question.toString('latin1', offset + 1, offset + 1 + (question[offset] ?? 0)));
  }
  return labels.join('.');
}

const TYPE_A = 1;
const typeOf = (question: Buffer, name: string): number => question.readUInt16BE(12 + name.length + 2);

/**
 * Encodes a DNS reply.
 *
 * @param code 0 if the name exists, 3 if it doesn't
 * @param address 4 or 16 bytes; absent if the name has no address of the requested family
 */
function encodeReply(question: Buffer, name: string, code: number, address?: readonly number[]): Buffer {
  const questionSection = question.subarray(12, 12 + name.length + 2 + 4);
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(address ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const type = typeOf(question, name);
  const record = address
    ? Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address])
    : Buffer.of();
  return Buffer.concat([header, questionSection, record]);
}

const answerFor = (question: Buffer, name: string) => {
  if (name.startsWith('silent')) return undefined;
  if (name.startsWith('unknown')) return encodeReply(question, name, 3);
  const ipv6Address = name.startsWith('both') ? [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1] : undefined;
  return encodeReply(question, name, 0, typeOf(question, name) === TYPE_A ? [127, 0, 0, 1] : ipv6Address);
};

const resolverFor = (servers: string[]) => promisify(createDnsResolver(servers));

test('resolves a name by DNS in both address families', async () => {
  const resolve = resolverFor([await startDnsServer(answerFor)]);
  expect(await resolve('receiver.example', { all: true })).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await resolve('both.example', { all: true })).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  await expect(resolve('unknown.example', { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('resolves local names without DNS', async () => {
  const resolve = resolverFor([await startDnsServer(() => undefined)]);
  for (const name of ['localhost', 'LOCALHOST']) {
    expect(await resolve(name, { all: true }), name).toContainEqual({ address: '127.0.0.1', family: 4 });
  }
});

test('resolves a name while a DNS server leaves queries for other names unanswered', async () => {
  const receiver = await startReceiver();
  openResources.push(receiver);
  const sender = createSender({
    policy: { allowLoopback: true },
    timeout: 10_000,
    resolve: createDnsResolver([await startDnsServer(answerFor)]),
  });
  openResources.push(sender);
  const post = (host: string) =>
    sender.send(
      { url: `http://${host}:${new URL(receiver.url).port}/`, headers: {}, body: new Uint8Array([1]) },
      new AbortController().signal,
    );
  const settled: string[] = [];
  const silent = Array.from({ length: 50 }, async (_, index) => {
    const outcome = await post(`silent-${index}.example`);
    settled.push('silent');
    return outcome;
  });
  const responsive = ['one.example', 'localhost'].map(async (host) => {
    const outcome = await post(host);
    settled.push(host);
    return outcome;
  });
  for (const item of responsive) expect(await item).toMatchObject({ successful: true });
  expect(settled).not.toContain('silent');
  for (const outcome of await Promise.all(silent)) {
    expect(outcome).toMatchObject({ successful: false, error: "The receiver's host name couldn't be resolved." });
  }
});
