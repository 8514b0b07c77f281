import { createClient, type Transport } from '@connectrpc/connect';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';

const PAGE_SIZE = 1000;

/** Deletes the demo's parsers, which would parse every message. */
export async function deleteParsers(transport: Transport): Promise<void> {
  const service = createClient(ModemMessageBodyParserService, transport);
  const { parsers } = await service.list({ excludeContent: true, pagination: { size: PAGE_SIZE } });
  const identifiers = parsers.map(({ identifier }) => identifier);
  if (identifiers.length > 0) await service.delete({ selection: { identifiers } });
}

/** Lists the numbers of the first `count` devices. */
export async function listNumbers(transport: Transport, count: number): Promise<string[]> {
  const numbers: string[] = [];
  for (let page = 0; page * PAGE_SIZE < count; page += 1) {
    const { devices } = await createClient(DeviceService, transport).list({ pagination: { size: PAGE_SIZE, page } });
    numbers.push(...devices.map(({ number }) => number));
  }
  return numbers;
}

/** Creates a token for the clients that push messages. */
export async function createBearer(transport: Transport): Promise<string> {
  const { token } = await createClient(TokenService, transport).create({ name: 'Ingest', type: Token_Type.PERSONAL });
  return token;
}
