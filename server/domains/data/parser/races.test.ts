// Tests that a parser can be deleted while other calls assign it. Only PostgreSQL runs transactions concurrently.
import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const ROUNDS = 12;
const contentKsy = 'meta:\n  id: level\nseq:\n  - id: level\n    type: u1\n';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

type Assign = MessageInitShape<typeof AssignmentService.method.assign.input>;

const admin = <Service extends DescService>(service: Service) => t.as('administrator').client(service);

test('an assignment of a parser that is being deleted is rejected, or deleted with the parser', async () => {
  const { devices } = await admin(DeviceService).list({ pagination: { size: 20 } });
  const include = devices.map(({ number }) => number);
  const { id } = await admin(TagService).create({ create: { name: 'Pad' } });
  const targets: readonly Assign['to'][] = [
    { case: 'toModems', value: { modems: { include } } },
    { case: 'toTags', value: { filter: { include: [id] } } },
  ];
  const linksBefore = await countLinks();
  for (let round = 0; round < ROUNDS; round++) {
    const { identifier } = await admin(ModemMessageBodyParserService).upload({ name: `Level ${round}`, contentKsy });
    const selection = { identifiers: [identifier] };
    const [, ...results] = await Promise.allSettled([
      admin(ModemMessageBodyParserService).delete({ selection }),
      ...targets.map((to) =>
        admin(AssignmentService).assign({ assign: { case: 'assignParsers', value: selection }, to }),
      ),
    ]);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? ConnectError.from(result.reason).code : [],
    );
    expect(codes.filter((code) => code !== Code.NotFound)).toEqual([]);
  }
  expect(await countLinks()).toBe(linksBefore);
});

async function countLinks(): Promise<number> {
  const { orm } = t.app.db;
  return (await orm.$count(parserDevice)) + (await orm.$count(parserTag));
}
