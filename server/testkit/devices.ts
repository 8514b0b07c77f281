import type { MessageInitShape } from '@bufbuild/protobuf';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import {
  ModemMessageBodyParserService,
  type UploadModemMessageBodyParserRequestSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import type { TestServer } from './server.ts';

/** Returns the number of the first device of the demo organization. */
export async function findFirstNumber(t: TestServer): Promise<string> {
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 1 } });
  return devices[0]!.number;
}

/** Uploads a parser and assigns it to a device. Returns its identifier. */
export async function uploadParser(
  t: TestServer,
  number: string,
  parser: MessageInitShape<typeof UploadModemMessageBodyParserRequestSchema>,
): Promise<string> {
  const parsers = t.as('administrator').client(ModemMessageBodyParserService);
  const { identifier } = await parsers.upload(parser);
  await parsers.assign({
    assignParsers: { identifiers: [identifier] },
    toModems: { modems: { include: [number] } },
  });
  return identifier;
}
