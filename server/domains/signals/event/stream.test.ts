import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport, type Transport } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { EventSchema, type Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService, type EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { App } from '#server/app/app.ts';
import { silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { type EventBus, openEventBus } from '#server/events/bus.ts';
import { recordEvents } from '#server/events/record.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { sessionInterceptor } from '#server/session/interceptor.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

let t: TestServer;
let app: App;
let bus: EventBus;
let transport: Transport;
/** Runs the callbacks that the database calls after losing its connection. */
let loseConnection: () => void;
let stop: AbortController;

beforeAll(async () => {
  t = await startTestServer();
  const callbacks: (() => void)[] = [];
  const db: Database = {
    ...t.app.db,
    listen(channel, receive, whenMissed) {
      if (whenMissed !== undefined) callbacks.push(whenMissed);
      return t.app.db.listen(channel, receive, whenMissed);
    },
  };
  bus = await openEventBus(db, silentLog);
  loseConnection = () => callbacks.forEach((call) => call());
  app = { ...t.app, bus };
  transport = transportFor(app, t.as('administrator').bearer);
});
beforeEach(() => void (stop = new AbortController()));
afterEach(() => stop.abort());
afterAll(async () => {
  await bus.close();
  await t.close();
});

type Request = Parameters<ReturnType<typeof client>['stream']>[0];
const client = () => createClient(EventService, transport);

/** Opens a stream and waits for it to announce that it is open. */
async function open(request: Request = {}, signal = stop.signal): Promise<AsyncIterator<Event>> {
  const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal };
  const stream = client().stream(request, options)[Symbol.asyncIterator]();
  expect((await stream.next()).value).toMatchObject({ type: EventType.DEFAULT });
  return stream;
}

/** Records an event about a device with the given name. */
const recordTestEvent = (organization: string, name: string, tags: { id: number; name: string }[] = []) =>
  t.app.db.transaction((tx) => {
    const eventTags = tags.map((tag) => ({ ...tag, type: 'group' }));
    const device = { organization, number: '0000 0001', name, identifier: '', timeZone: 'UTC', hidden: false };
    return recordEvents(tx, [deviceUpdated({ ...device, tags: eventTags }, t.app.now(), { changed: ['name'] })]);
  });

const readName = async (stream: AsyncIterator<Event>) =>
  ((await stream.next()).value as Event | undefined)?.device?.name;

test('tag and publisher filters do not apply to events of child organizations', async () => {
  const { rows } = await t.app.db.orm.execute<{ id: string }>(
    sql`select id from tag where organization = 'northwind' limit 1`,
  );
  const tag = Number(rows[0]!.id);
  const stream = await open({
    selection: { events: { include: [EventType.DEVICE_UPDATED] }, tags: { include: [BigInt(tag)] } },
    childOrganizations: { include: ['northwind-north'] },
  });
  await recordTestEvent('northwind', 'untagged');
  await recordTestEvent('northwind-north', 'child');
  await recordTestEvent('northwind', 'tagged', [{ id: tag, name: 'a tag' }]);
  expect([await readName(stream), await readName(stream)]).toEqual(['child', 'tagged']);
  const excludingStream = await open({
    selection: { events: { include: [EventType.DEVICE_UPDATED] }, tags: { exclude: [BigInt(tag)] } },
    childOrganizations: { include: ['northwind-north'] },
  });
  await recordTestEvent('northwind', 'tagged', [{ id: tag, name: 'a tag' }]);
  await recordTestEvent('northwind-north', 'tagged child', [{ id: tag, name: 'a tag' }]);
  await recordTestEvent('northwind', 'untagged');
  expect([await readName(excludingStream), await readName(excludingStream)]).toEqual(['tagged child', 'untagged']);
});

test('ends streams that may have missed events, including streams that are opening', async () => {
  const stream = await open();
  const next = stream.next();
  const opening = client().stream({}, { signal: stop.signal })[Symbol.asyncIterator]();
  const end = opening.next().then(
    ({ done }) => done,
    (error: unknown) => ConnectError.from(error).code,
  );
  // One database round trip later, the call has started and is still reading.
  await t.app.db.orm.execute(sql`select 1`);
  loseConnection();
  await expect(next).rejects.toMatchObject({ code: Code.Aborted });
  // The bus may also have missed an access change, so the call may end before the stream opens, without an error.
  expect([true, Code.Aborted]).toContain(await end);
});

test.each(['4', '301', '5.5', '0', '-5', 'often', ''])('rejects a keep-alive of %j seconds', async (interval) => {
  const options = { headers: { 'quarterdeck-keep-alive': interval } };
  const opening = client().stream({}, options)[Symbol.asyncIterator]().next();
  await expect(opening).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(opening).rejects.toThrow('from 5 to 300');
});

test.each(['5', '300'])('accepts a keep-alive of %s seconds', async (interval) => {
  const options = { headers: { 'quarterdeck-keep-alive': interval }, signal: stop.signal };
  const first = await client().stream({}, options)[Symbol.asyncIterator]().next();
  expect(first.value).toMatchObject({ type: EventType.DEFAULT });
});

test('a ninth open stream ends the oldest stream, and closed streams do not count', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const hangUp = new AbortController();
    const stream = await open({}, hangUp.signal);
    hangUp.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
  }
  const streams: AsyncIterator<Event>[] = [];
  for (let turn = 0; turn < 9; turn += 1) streams.push(await open());
  await recordTestEvent('northwind', 'after');
  const firstResults = await Promise.all(streams.map((stream) => stream.next()));
  expect(firstResults.map(({ done }) => done)).toEqual([true, ...Array.from({ length: 8 }, () => false)]);
});

test("fails a streaming rpc that does not watch its caller's access", async () => {
  const unwatched = createRouterTransport(
    ({ service }) =>
      service(EventService, {
        async *stream(_request: EventStreamRequest) {
          yield create(EventSchema, {});
        },
      }),
    {
      transport: {
        interceptors: [
          (next) => (request) => {
            request.header.set('authorization', `bearer ${t.as('administrator').bearer}`);
            return next(request);
          },
        ],
      },
      router: { interceptors: [sessionInterceptor(app, policyOf)] },
    },
  );
  const first = createClient(EventService, unwatched).stream({})[Symbol.asyncIterator]().next();
  await expect(first).rejects.toMatchObject({ code: Code.Internal });
});

test('a stream ends when its ID token expires', async () => {
  const seconds = 8;
  const bearer = createIdToken({ ...demoPerson('viewer'), lifetime: seconds });
  const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal: stop.signal };
  const events = createClient(EventService, transportFor(app, bearer)).stream({}, options)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: EventType.DEFAULT });
  expect((await events.next()).done).toBe(true);
});

describe('a stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('is kept alive at the requested interval, ends after an hour, and leaves no timers behind', async () => {
    const before = vi.getTimerCount();
    const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal: stop.signal };
    // The token outlasts the stream.
    const bearer = createIdToken({ ...demoPerson('administrator'), lifetime: 7200 });
    const events = createClient(EventService, transportFor(app, bearer));
    const stream = events.stream({}, options)[Symbol.asyncIterator]();
    await stream.next();
    let keepAlives = 0;
    const reading = (async () => {
      for (let next = await stream.next(); !next.done; next = await stream.next()) keepAlives += 1;
    })();
    // Wait for one turn of the event loop, which delivers pushed events.
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(299_999);
    await nextTurn();
    expect(keepAlives).toBe(0);
    vi.advanceTimersByTime(1);
    await nextTurn();
    expect(keepAlives).toBe(1);
    vi.advanceTimersByTime(3_300_000 - 1);
    await nextTurn();
    expect(keepAlives).toBe(11);
    vi.advanceTimersByTime(1);
    await reading;
    expect(vi.getTimerCount()).toBe(before);
  });
});
