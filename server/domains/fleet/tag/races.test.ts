// Tests that a tag can be deleted while other calls assign it. Only PostgreSQL runs transactions concurrently.
import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const ROUNDS = 12;
/** The results of a call whose tag another call deletes: it came first, the tag is gone, or the database chose. */
const expectedCodes = new Set<Code | undefined>([undefined, Code.NotFound, Code.Aborted]);

let t: TestServer;
let numbers: string[];
let point: string;
let parser: string;
let webhook: bigint;
beforeAll(async () => {
  t = await startTestServer();
  numbers = (await admin(DeviceService).list({ pagination: { size: 20 } })).devices.map(({ number }) => number);
  point = (await admin(ProcessPointService).create({ create: [{ name: 'Point' }] })).created[0]?.identifier ?? '';
  const contentKsy = 'meta:\n  id: level\nseq:\n  - id: level\n    type: u1\n';
  parser = (await admin(ModemMessageBodyParserService).upload({ name: 'Level', contentKsy })).identifier;
  webhook = (await admin(WebhookService).create({ data: { url: 'https://hooks.example.com' } })).id;
});
afterAll(() => t.close());

const admin = <Service extends DescService>(service: Service) => t.as('administrator').client(service);

const codeOf = (call: Promise<unknown>): Promise<Code | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );

test.each<[string, (id: bigint) => Promise<unknown>]>([
  [
    'devices',
    (id) =>
      admin(ModemService).updateTags({ selection: { modems: { include: numbers } }, update: { tagIdsToAdd: [id] } }),
  ],
  [
    'devices (AssignmentService)',
    (id) =>
      admin(AssignmentService).assign({
        assign: { case: 'assignModems', value: { modems: { include: numbers } } },
        to: { case: 'toTags', value: { filter: { include: [id] } } },
      }),
  ],
  [
    'process points',
    (id) =>
      admin(ProcessPointService).assignTag({
        selection: { identifiers: [point] },
        tags: { filter: { include: [id] } },
      }),
  ],
  [
    'parsers',
    (id) =>
      admin(AssignmentService).assign({
        assign: { case: 'assignParsers', value: { identifiers: [parser] } },
        to: { case: 'toTags', value: { filter: { include: [id] } } },
      }),
  ],
  ['webhooks', (id) => admin(WebhookService).updateTags({ webhookIds: [webhook], update: { tagIdsToAdd: [id] } })],
])('a tag can be deleted while it is assigned to %s', async (items, assign) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await admin(TagService).create({ create: { name: `${items} ${round}` } });
    // Another assignment already exists in half of the rounds, so that deleting the tag removes it.
    if (round % 2 === 0) await assign(id);
    const results = await Promise.all([
      codeOf(assign(id)),
      codeOf(admin(TagService).delete({ id })),
      codeOf(assign(id)),
    ]);
    expect(results.filter((code) => !expectedCodes.has(code))).toEqual([]);
    await codeOf(admin(TagService).delete({ id }));
  }
});

test('no link to a deleted tag is left', async () => {
  const { rows } = await t.app.db.orm.execute(sql`
    select organization, tag from (
      select organization, tag from device_tag union all select organization, tag from process_point_tag
      union all select organization, tag from webhook_tag union all select organization, tag from parser_tag) as link
     where not exists (select from tag where tag.organization = link.organization and tag.id = link.tag)`);
  expect(rows).toEqual([]);
});
