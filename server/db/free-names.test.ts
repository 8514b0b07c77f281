// Tests that names taken by concurrent calls are rejected like any other taken names. Only PostgreSQL runs transactions
// concurrently; the embedded database has one connection.
import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const ROUNDS = 6;
const contentKsy = 'meta:\n  id: level\nseq:\n  - id: level\n    type: u1\n';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const admin = <Service extends DescService>(service: Service) => t.as('administrator').client(service);
const tags = () => admin(TagService);
const points = () => admin(ProcessPointService);
const parsers = () => admin(ModemMessageBodyParserService);
const createPoint = (name: string) => points().create({ create: [{ name }] });

test.each<[string, (name: string) => Promise<(() => Promise<unknown>)[]>]>([
  ['tag', async (name) => [() => tags().create({ create: { name } }), () => tags().create({ create: { name } })]],
  [
    'renamed tag',
    async (name) => {
      const { id } = await tags().create({ create: { name: `${name} before` } });
      return [() => tags().update({ id, update: { name } }), () => tags().create({ create: { name } })];
    },
  ],
  ['process point', async (name) => [() => createPoint(name), () => createPoint(name)]],
  [
    'renamed process point',
    async (name) => {
      const { created } = await createPoint(`${name} before`);
      const selection = { identifiers: created.map(({ identifier }) => identifier) };
      return [() => points().update({ selection, update: { updateName: name } }), () => createPoint(name)];
    },
  ],
  [
    'parser',
    async (name) => [() => parsers().upload({ name, contentKsy }), () => parsers().upload({ name, contentKsy })],
  ],
  [
    'renamed parser',
    async (name) => {
      const { identifier } = await parsers().upload({ name: `${name} before`, contentKsy });
      return [() => parsers().rename({ identifier, name }), () => parsers().upload({ name, contentKsy })];
    },
  ],
])('one of two concurrent calls gets the name of a %s, and the other ALREADY_EXISTS', async (noun, prepare) => {
  const logged = vi.spyOn(t.app.log, 'error');
  for (let round = 0; round < ROUNDS; round++) {
    const name = `${noun} ${round}`;
    const calls = await prepare(name);
    const results = await Promise.allSettled(calls.map((call) => call()));
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [ConnectError.from(result.reason)] : [],
    );
    expect(errors.map(({ code, rawMessage }) => [Code[code], rawMessage])).toEqual([
      ['AlreadyExists', expect.stringContaining(`"${name}"`)],
    ]);
  }
  expect(logged).not.toHaveBeenCalled();
});
