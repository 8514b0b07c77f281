import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';

import { type Kind, kinds, type Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** Most of a fleet's traffic is messages. */
const weights: Record<Kind, number> = { message: 12, notes: 5, webhook: 1, tag: 2, token: 1 };
const CALL_TIMEOUT_MS = 20_000;
const PAUSE_MS = 20;

/** A signed-in caller's connections to the servers. */
export interface Access {
  readonly transports: readonly Transport[];
  /** Closes the connections, which would otherwise keep this process alive. */
  close(): void;
}

export function openAccess(addresses: readonly string[], idToken: string): Access {
  const sessions = addresses.map((address) => new Http2SessionManager(address));
  const transports = sessions.map((sessionManager) =>
    createGrpcTransport({
      baseUrl: sessionManager.authority,
      sessionManager,
      defaultTimeoutMs: CALL_TIMEOUT_MS,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${idToken}`);
          return next(request);
        },
      ],
    }),
  );
  return { transports, close: () => sessions.forEach((session) => session.abort()) };
}

/** Makes one write after another until `stop` aborts, and records the acknowledged writes. */
export async function runWriter(
  { transports }: Pick<Access, 'transports'>,
  { ledger, random, devices, stop }: { ledger: Ledger; random: Random; devices: readonly string[]; stop: AbortSignal },
): Promise<void> {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const weightedKinds = kinds.flatMap((kind) => Array<Kind>(weights[kind]).fill(kind));
  while (!stop.aborted) {
    const [kind, transport, device] = [pick(weightedKinds), pick(transports), pick(devices)];
    if (kind === undefined || transport === undefined || device === undefined) return;
    const marker = ledger.createMarker(kind);
    try {
      await sendWrite(transport, kind, marker, device);
      ledger.acknowledge(kind, marker);
    } catch (error) {
      requireKillError(error);
      ledger.recordUnknown(kind);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 5));
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function sendWrite(transport: Transport, kind: Kind, marker: string, device: string): Promise<void> {
  switch (kind) {
    case 'message': {
      const message = { modemNumber: device, metadata: { marker } };
      return void (await createClient(TestingService, transport).pushModemMessages({ messages: [message] }));
    }
    case 'notes': {
      const selection = { modems: { include: [device] } };
      return void (await createClient(DeviceService, transport).update({ devices: [{ selection, notes: marker }] }));
    }
    case 'webhook': {
      const data = { url: 'http://127.0.0.1:9/', disabled: true };
      return void (await createClient(WebhookService, transport).create({ description: marker, data }));
    }
    case 'tag':
      return void (await createClient(TagService, transport).create({ create: { name: marker } }));
    case 'token':
      return void (await createClient(TokenService, transport).create({ name: marker }));
  }
}

/** The codes of calls that fail because a server is killed. Any other code is a bug in the server or in this script. */
const killCodes: readonly Code[] = [Code.Unavailable, Code.Canceled, Code.Aborted, Code.DeadlineExceeded];

function requireKillError(error: unknown): void {
  const { code, rawMessage } = ConnectError.from(error);
  if (killCodes.includes(code)) return;
  // Node's HTTP/2 client throws these errors if the connection breaks in the middle of a response.
  if (/ECONNRE|closed|stream|session|premature|hang up|aborted|trailer|status/i.test(rawMessage)) return;
  throw error;
}
