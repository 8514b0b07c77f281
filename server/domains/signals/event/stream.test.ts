import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport, type Transport } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventSchema, type Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService, type EventStreamRequest } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Database } from '#server/db/database.ts';
import { type EventBus, openEventBus } from '#server/events/bus.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { recordEvents } from '#server/events/record.ts';
import { silentLog } from '#server/base/log.ts';
import { sessionInterceptor } from '#server/session/interceptor.ts';
import { policyOf } from '#server/http/rpc/policies.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

let t: TestServer;
let app: App;
let bus: EventBus;
let transport: Transport;
/** As the database calls it after it lost its connection. */
let lose: () => void;
let stop: AbortController;

beforeAll(async () => {
  t = await startTestServer();
  const missed: (() => void)[] = [];
  const db: Database = {
    ...t.app.db,
    listen(channel, receive, whenMissed) {
      if (whenMissed !== undefined) missed.push(whenMissed);
      return t.app.db.listen(channel, receive, whenMissed);
    },
  };
  bus = await openEventBus(db, silentLog);
  lose = () => missed.forEach((call) => call());
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

/** A stream that says that it is open. */
async function open(request: Request = {}, signal = stop.signal): Promise<AsyncIterator<Event>> {
  const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal };
  const stream = client().stream(request, options)[Symbol.asyncIterator]();
  expect((await stream.next()).value).toMatchObject({ type: EventType.DEFAULT });
  return stream;
}

/** Something happens to a device of that name. */
const happen = (organization: string, name: string, tags: { id: number; name: string }[] = []) =>
  t.app.db.transaction((tx) => {
    const tagged = tags.map((tag) => ({ ...tag, type: 'group' }));
    const about = { organization, number: '0000 0001', name, identifier: '', timeZone: 'UTC', hidden: false };
    return recordEvents(tx, [deviceUpdated({ ...about, tags: tagged }, t.app.now(), { changed: ['name'] })]);
  });

const nameOf = async (stream: AsyncIterator<Event>) => ((await stream.next()).value as Event | undefined)?.device?.name;

test('filters by tag and publisher are for the parent: events of organizations below pass them', async () => {
  const { rows } = await t.app.db.orm.execute<{ id: string }>(
    sql`select id from tag where organization = 'northwind' limit 1`,
  );
  const tag = Number(rows[0]!.id);
  const stream = await open({
    selection: { events: { include: [EventType.DEVICE_UPDATED] }, tags: { include: [BigInt(tag)] } },
    childOrganizations: { include: ['northwind-north'] },
  });
  await happen('northwind', 'untagged');
  await happen('northwind-north', 'below');
  await happen('northwind', 'tagged', [{ id: tag, name: 'a tag' }]);
  expect([await nameOf(stream), await nameOf(stream)]).toEqual(['below', 'tagged']);
  const excluding = await open({
    selection: { events: { include: [EventType.DEVICE_UPDATED] }, tags: { exclude: [BigInt(tag)] } },
    childOrganizations: { include: ['northwind-north'] },
  });
  await happen('northwind', 'tagged', [{ id: tag, name: 'a tag' }]);
  await happen('northwind-north', 'tagged below', [{ id: tag, name: 'a tag' }]);
  await happen('northwind', 'untagged');
  expect([await nameOf(excluding), await nameOf(excluding)]).toEqual(['tagged below', 'untagged']);
});

test('a stream that may have missed events ends with an error, and one that is being opened ends, too', async () => {
  const stream = await open();
  const next = stream.next();
  const opening = client().stream({}, { signal: stop.signal })[Symbol.asyncIterator]();
  const end = opening.next().then(
    ({ done }) => done,
    (error: unknown) => ConnectError.from(error).code,
  );
  // A turn at the database later the call has begun, and is still reading.
  await t.app.db.orm.execute(sql`select 1`);
  lose();
  await expect(next).rejects.toMatchObject({ code: Code.Aborted });
  // Whose rights changed meanwhile is not known either: it ends while it reads, or as the other if it is open by then.
  expect([true, Code.Aborted]).toContain(await end);
});

test.each(['4', '301', '5.5', '0', '-5', 'often', ''])('%j seconds is no interval for keep-alive', async (interval) => {
  const options = { headers: { 'quarterdeck-keep-alive': interval } };
  const opening = client().stream({}, options)[Symbol.asyncIterator]().next();
  await expect(opening).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(opening).rejects.toThrow('from 5 to 300');
});

test.each(['5', '300'])('%s seconds is one', async (interval) => {
  const options = { headers: { 'quarterdeck-keep-alive': interval }, signal: stop.signal };
  const first = await client().stream({}, options)[Symbol.asyncIterator]().next();
  expect(first.value).toMatchObject({ type: EventType.DEFAULT });
});

test('streams that were hung up make room: the ninth open one ends the oldest open one', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const hangUp = new AbortController();
    const stream = await open({}, hangUp.signal);
    hangUp.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
  }
  const streams: AsyncIterator<Event>[] = [];
  for (let turn = 0; turn < 9; turn += 1) streams.push(await open());
  await happen('northwind', 'after');
  const firsts = await Promise.all(streams.map((stream) => stream.next()));
  expect(firsts.map(({ done }) => done)).toEqual([true, ...Array.from({ length: 8 }, () => false)]);
});

test('an rpc that streams without watching the rights of its caller is refused, whichever it is', async () => {
  const careless = createRouterTransport(
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
  const first = createClient(EventService, careless).stream({})[Symbol.asyncIterator]().next();
  await expect(first).rejects.toMatchObject({ code: Code.Internal });
});

test('a stream ends with the ID token that it was opened with, as a call with that token would be refused', async () => {
  const seconds = 8;
  const bearer = idTokenOf({ ...demoPerson('viewer'), lifetime: seconds });
  const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal: stop.signal };
  const events = createClient(EventService, transportFor(app, bearer)).stream({}, options)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: EventType.DEFAULT });
  expect((await events.next()).done).toBe(true);
});

describe('a stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('is kept alive at the interval that is asked for, ends after an hour, and leaves no timer behind', async () => {
    const before = vi.getTimerCount();
    const options = { headers: { 'quarterdeck-keep-alive': '300' }, signal: stop.signal };
    // Its token lasts longer than a stream.
    const bearer = idTokenOf({ ...demoPerson('administrator'), lifetime: 7200 });
    const events = createClient(EventService, transportFor(app, bearer));
    const stream = events.stream({}, options)[Symbol.asyncIterator]();
    await stream.next();
    let beats = 0;
    const reading = (async () => {
      for (let next = await stream.next(); !next.done; next = await stream.next()) beats += 1;
    })();
    // A turn of the event loop, for what was pushed to arrive.
    const arrived = () => new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(299_999);
    await arrived();
    expect(beats).toBe(0);
    vi.advanceTimersByTime(1);
    await arrived();
    expect(beats).toBe(1);
    vi.advanceTimersByTime(3_300_000 - 1);
    await arrived();
    expect(beats).toBe(11);
    vi.advanceTimersByTime(1);
    await reading;
    expect(vi.getTimerCount()).toBe(before);
  });
});
