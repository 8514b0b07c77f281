import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { fromBinary } from '@bufbuild/protobuf';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import { DELIVERY_HEADER } from '#server/publishing/targets/webhook/call.ts';
import { verifySignature } from '#server/publishing/targets/webhook/signature.ts';

import type { ReceiverOptions } from './options.ts';

/** The maximum size of a request body, far larger than any event. */
const MAX_BYTES = 10 * 1024 * 1024;

export interface Receiver {
  /** The URL to enter for the webhook. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens only on 127.0.0.1: it serves this machine and prints deliveries to the terminal. */
export async function startReceiver(options: ReceiverOptions, print: (line: string) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        print(
          request.method === 'POST'
            ? describe(options, request, body)
            : `${request.method} rejected: webhooks use POST`,
        );
        response.writeHead(request.method === 'POST' ? options.status : 405).end();
      },
      (error: Error) => {
        print(`Rejected. ${error.message}`);
        response.writeHead(413).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The body is larger than ${MAX_BYTES / 1024 / 1024} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Formats a call as one line: time, type, device, title, signature, delivery. */
function describe(options: ReceiverOptions, request: IncomingMessage, body: Buffer): string {
  const { type, device, title } = describeDelivery(request, body);
  const delivery = request.headers[DELIVERY_HEADER.toLowerCase()];
  return [
    new Date().toISOString().slice(11, 23),
    type,
    device === '' ? '(no device)' : device,
    title,
    checkSignature(options, request, body),
    delivery === undefined ? 'not from the outbox' : `delivery ${String(delivery)}`,
  ].join('  ');
}

function describeDelivery(request: IncomingMessage, body: Buffer): { type: string; device: string; title: string } {
  try {
    if (String(request.headers['content-type']).includes('protobuf')) {
      const { type, device, title } = fromBinary(EventSchema, body);
      return { type: eventTypeName(type) ?? String(type), device: device?.number ?? '', title };
    }
    const event = JSON.parse(body.toString('utf8')) as { type?: string; device?: { number: string }; title?: string };
    return { type: event.type ?? '(no type)', device: event.device?.number ?? '', title: event.title ?? '' };
  } catch {
    return { type: '(not an event)', device: '', title: `${body.length} unreadable bytes` };
  }
}

function checkSignature({ secret, header }: ReceiverOptions, request: IncomingMessage, body: Buffer): string {
  const value = request.headers[header.toLowerCase()];
  if (value === undefined) return secret === undefined ? 'unsigned' : 'UNSIGNED, although a secret is set';
  if (secret === undefined) return 'signed, not checked';
  return verifySignature(secret, body, String(value)) ? 'signature OK' : 'SIGNATURE WRONG';
}
