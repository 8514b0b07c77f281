import { create, toBinary } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventService, ListEventsRequest_Sort as Sort } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { event } from '#server/db/schema/event.ts';
import type { EventFilter } from '#server/events/filter.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { listBundles } from './list.ts';

const { ALARM_TRIGGERED, DEVICE_UPDATED, TOKEN_CREATED } = EventType;
const ORGANIZATION = 'northwind';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device where organization = ${ORGANIZATION} and lifecycle = 1 order by number limit 3`,
  );
  numbers = rows.map(({ number }) => number);
});
beforeEach(() => t.app.db.orm.delete(event));
afterAll(() => t.close());

interface TestEvent {
  readonly type?: EventType;
  /** The index into the devices above. */
  readonly device?: number;
  readonly secondsAgo?: number;
  readonly organization?: string;
  readonly healthLevel?: string;
}

/** Records events in the given order, each with its position as its title. */
async function recordTestEvents(...testEvents: TestEvent[]): Promise<void> {
  const now = t.app.now().getTime();
  await t.app.db.orm.insert(event).values(
    testEvents.map(
      ({ type = ALARM_TRIGGERED, device, secondsAgo = 60, organization = ORGANIZATION, healthLevel }, index) => {
        const title = String(index);
        const time = new Date(now - secondsAgo * 1000);
        const number = device === undefined ? null : numbers[device]!;
        const body = toBinary(EventSchema, create(EventSchema, { type, title }));
        return { organization, time, type, number, title, description: '', healthLevel, body };
      },
    ),
  );
}

const events = () => t.as('administrator').client(EventService);
const everything: EventFilter = {
  types: [ALARM_TRIGGERED, DEVICE_UPDATED, TOKEN_CREATED],
  devices: { include: [], exclude: [] },
  publishers: { include: undefined, exclude: [] },
  tags: { include: [], exclude: [] },
  healthLevels: [],
  onlyLevel: undefined,
  start: undefined,
  end: undefined,
  includeResolved: true,
  allLifecycles: true,
};

describe('bundled events', () => {
  test('have one bundle per type in the organization, latest first', async () => {
    await recordTestEvents(
      { type: TOKEN_CREATED, secondsAgo: 50 },
      { type: DEVICE_UPDATED, secondsAgo: 40 },
      { type: DEVICE_UPDATED, secondsAgo: 900 },
      { type: ALARM_TRIGGERED, secondsAgo: 50, organization: 'northwind-north' },
    );
    const { events: bundledEvents, unbundledEvents } = await events().list({});
    expect(bundledEvents.map(({ type, title, description }) => [type, title, description])).toEqual([
      [DEVICE_UPDATED, 'Device updated', 'Happened 2 times.'],
      [TOKEN_CREATED, 'Token created', 'Happened once.'],
    ]);
    expect(unbundledEvents).toEqual([]);
    const [updates] = bundledEvents;
    const last = new Date(
      updates?.amount.case === 'exactAmount' ? (updates.amount.value.lastEvent?.textual ?? '') : '',
    );
    expect(Math.round((t.app.now().getTime() - last.getTime()) / 60_000)).toBe(1);
    expect(updates).toMatchObject({ deprecatedAmount: 2, deprecatedApproximatedAmount: false });
    expect(updates?.deprecatedLastEvent?.textual).toBe(last.toISOString());
    expect(await listBundles(t.app.db, ORGANIZATION, { ...everything, types: [] })).toEqual([]);
    expect(await listBundles(t.app.db, ORGANIZATION, { ...everything, types: [TOKEN_CREATED] })).toHaveLength(1);
  });

  test('leave out the types that the filter does not select, whatever their numbers', async () => {
    const recorded = [DEVICE_UPDATED, TOKEN_CREATED, ALARM_TRIGGERED];
    await recordTestEvents(...recorded.map((type) => ({ type })));
    for (const leftOut of recorded) {
      const types = recorded.filter((type) => type !== leftOut);
      const bundles = await listBundles(t.app.db, ORGANIZATION, { ...everything, types });
      expect(new Set(bundles.map(({ type }) => type))).toEqual(new Set(types));
    }
  });

  test('have the number of an unknown type in their title', async () => {
    await recordTestEvents({ type: 999 as EventType });
    const [bundle] = await listBundles(t.app.db, ORGANIZATION, { ...everything, types: [999] });
    expect(bundle?.title).toBe('Type 999');
  });

  test('are counted up to ten thousand', async () => {
    const recordMany = (amount: number) =>
      t.app.db.orm.execute(sql`
        insert into event (organization, time, type, title, description, body)
        select ${ORGANIZATION}, now() - make_interval(secs => n), ${ALARM_TRIGGERED}, '', '', ''
        from generate_series(1, ${amount}::int) as n`);
    const bundle = async () => (await listBundles(t.app.db, ORGANIZATION, everything))[0];
    await recordMany(10_000);
    expect(await bundle()).toMatchObject({
      description: 'Happened 10000 times.',
      amount: { case: 'exactAmount', value: { amount: 10_000 } },
      deprecatedAmount: 10_000,
      deprecatedApproximatedAmount: false,
    });
    // Older than the others, so the last event stays the same.
    await recordTestEvents({ secondsAgo: 15_000 });
    const inexact = await bundle();
    expect(inexact).toMatchObject({
      description: 'Happened more than 10000 times.',
      amount: { case: 'approximatedAmount', value: { amount: 10_000 } },
      deprecatedAmount: 10_000,
      deprecatedApproximatedAmount: true,
    });
    const last = new Date(inexact?.deprecatedLastEvent?.textual ?? '').getTime();
    expect(t.app.now().getTime() - last).toBeLessThan(600_000);
  });
});

describe('unbundled events', () => {
  const titles = async (sort?: Sort, modems?: { include: string[] }) => {
    const { unbundledEvents } = await events().list({ unbundledEvents: true, sort, selection: { modems } });
    return unbundledEvents.map((page) => page.unbundledEvents.map(({ title }) => title).join(' '));
  };

  test('are sorted as requested, or else in the order they were recorded', async () => {
    await recordTestEvents(
      { device: 1, secondsAgo: 30 },
      { device: 0, secondsAgo: 20 },
      { device: 0, secondsAgo: 20 },
      { device: 2, secondsAgo: 10 },
      { secondsAgo: 5 },
      { device: 1, secondsAgo: 40 },
    );
    expect(await titles()).toEqual(['4 3 2 1 0 5']);
    expect(await titles(Sort.TIME_DESCENDING)).toEqual(['4 3 2 1 0 5']);
    expect(await titles(Sort.TIME_ASCENDING)).toEqual(['5 0 1 2 3 4']);
    expect(await titles(Sort.DEVICE_NUMBER_ASC)).toEqual(['2 1 0 5 3 4']);
    expect(await titles(Sort.DEVICE_NUMBER_DESC)).toEqual(['3 0 5 2 1 4']);
    const include = [numbers[1]!, numbers[2]!, numbers[0]!];
    expect(await titles(Sort.DEVICE_NUMBER_SPECIFIED, { include })).toEqual(['0 5 3 2 1']);
    expect(await titles(Sort.DEVICE_NUMBER_SPECIFIED)).toEqual(['4 3 2 1 0 5']);
    const { events: timeline } = await events().history({});
    expect(timeline.map(({ title }) => title).join(' ')).toBe('4 3 2 1 0 5');
  });

  test('are grouped by type, each with its own page and total', async () => {
    await recordTestEvents(
      { type: TOKEN_CREATED, secondsAgo: 50 },
      { type: DEVICE_UPDATED, secondsAgo: 40 },
      { type: DEVICE_UPDATED, secondsAgo: 30 },
      { type: DEVICE_UPDATED, secondsAgo: 20 },
      { type: DEVICE_UPDATED, secondsAgo: 20, organization: 'northwind-north' },
    );
    const {
      unbundledEvents,
      events: bundledEvents,
      request,
    } = await events().list({
      unbundledEvents: true,
      pagination: { size: 2 },
    });
    expect(bundledEvents).toEqual([]);
    expect(unbundledEvents.map(({ type }) => type)).toEqual([DEVICE_UPDATED, TOKEN_CREATED]);
    expect(unbundledEvents.map((page) => page.unbundledEvents.map(({ title }) => title))).toEqual([['3', '2'], ['0']]);
    expect(unbundledEvents.map(({ pagination }) => pagination?.total)).toEqual([3, 1]);
    expect(request).toMatchObject({
      organization: ORGANIZATION,
      unbundledEvents: true,
      sort: Sort.TIME_DESCENDING,
      pagination: { size: 2 },
    });
  });

  test('are returned if the request sets its flag, or else the deprecated flag in its selection', async () => {
    await recordTestEvents({});
    const counts = async (request: { unbundledEvents?: boolean; selection?: { unbundledEvents?: boolean } }) => {
      const { unbundledEvents, events: bundledEvents, request: echo } = await events().list(request);
      expect(echo?.unbundledEvents).toBe(unbundledEvents.length === 1);
      return [unbundledEvents.length, bundledEvents.length];
    };
    expect(await counts({})).toEqual([0, 1]);
    expect(await counts({ selection: {} })).toEqual([0, 1]);
    expect(await counts({ selection: { unbundledEvents: true } })).toEqual([1, 0]);
    expect(await counts({ unbundledEvents: false, selection: { unbundledEvents: true } })).toEqual([0, 1]);
  });
});

describe('the health events of devices', () => {
  test('have a device and a level but no details', async () => {
    await recordTestEvents({ device: 0 }, { healthLevel: 'Alarm' }, { device: 0, healthLevel: 'Alarm' });
    const { events: healthEvents, pagination } = await events().modemHealth({});
    expect(healthEvents.map(({ title }) => title)).toEqual(['2']);
    expect(pagination?.total).toBe(1);
  });
});
