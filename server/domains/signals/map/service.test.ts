import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { LocationHistory } from '#proto/gen/hiber/map_pb.ts';
import { MapService } from '#proto/gen/hiber/map_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { addTenants } from '#server/testkit/tenants.ts';

let t: TestServer;
let numbers: readonly string[];
beforeAll(async () => {
  t = await startTestServer();
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device where organization = 'northwind' and lifecycle = 1 order by number`,
  );
  numbers = rows.map(({ number }) => number);
  await t.app.db.orm.execute(sql`update message set latitude = null, longitude = null`);
});
afterAll(() => t.close());

const map = () => t.as('operator').client(MapService);
const LEVEL = 21;
const minutesAgo = (minutes: number) => new Date(t.app.now().getTime() - minutes * 60_000).toISOString();

/** Sends a message from each place, each a number of minutes ago. */
async function move(
  modemNumber: string,
  ...places: readonly (readonly [latitude: number, longitude: number, ago: number])[]
) {
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: places.map(([latitude, longitude, ago]) => ({
        modemNumber,
        location: { latitude, longitude },
        time: { textual: minutesAgo(ago) },
      })),
    });
}

const placeOf = ({ location }: LocationHistory) => [location?.latitude, location?.longitude];

test("returns a device's positions in order, with a range for a stay", async () => {
  const [modemNumber = '', other = ''] = numbers;
  await move(modemNumber, [52, 6, 10], [52, 5, 40], [52, 5, 60], [52, 5, 50], [53, 7, 5]);
  await move(other, [1, 1, 20]);
  const { history, request } = await map().locationHistory({
    modemNumber: modemNumber.replace(' ', '').toLowerCase(),
    level: LEVEL,
  });
  expect(history.map(placeOf)).toEqual([
    [52, 5],
    [52, 6],
    [53, 7],
  ]);
  const [stay, stop] = history;
  expect(stay?.when).toMatchObject({ case: 'timeRange' });
  if (stay?.when.case !== 'timeRange') throw new Error('not a stay');
  const { start, end } = stay.when.value;
  expect(Number(end?.timestamp?.seconds) - Number(start?.timestamp?.seconds)).toBe(20 * 60);
  expect(stop?.when.case).toBe('time');
  expect(stop?.location?.textual).toBe('[52,6]');
  expect(request).toMatchObject({ organization: 'northwind', level: LEVEL });
});

test('covers the last 7 days unless the request has a time range', async () => {
  const modemNumber = numbers[2]!;
  await move(modemNumber, [10, 10, 8 * 1440], [11, 10, 6 * 1440], [12, 11, 60]);
  const places = async (timeRange?: { start?: { textual: string }; end?: { textual: string } }) =>
    (await map().locationHistory({ modemNumber, level: LEVEL, ...(timeRange ? { timeRange } : {}) })).history.map(
      placeOf,
    );
  expect(await places()).toEqual([
    [11, 10],
    [12, 11],
  ]);
  expect(await places({ start: { textual: '-9d' } })).toHaveLength(3);
  expect(await places({ end: { textual: minutesAgo(7 * 1440) } })).toEqual([[10, 10]]);
  expect(await places({ start: { textual: '-10m' } })).toEqual([]);
});

test('simplifies as the level asks', async () => {
  const modemNumber = numbers[3]!;
  await move(modemNumber, [0, 0, 4], [0.1, 1, 3], [0, 2, 2]);
  expect((await map().locationHistory({ modemNumber, level: 10 })).history).toHaveLength(3);
  expect((await map().locationHistory({ modemNumber, level: 3 })).history).toHaveLength(2);
});

test("formats times in the device's time zone", async () => {
  const modemNumber = numbers[4]!;
  await t.app.db.orm.execute(sql`update device set time_zone = 'Asia/Kolkata' where number = ${modemNumber}`);
  await move(modemNumber, [0, 0, 4]);
  const { history } = await map().locationHistory({ modemNumber });
  expect(history[0]?.when.value).toMatchObject({ timeZone: 'Asia/Kolkata' });
});

test('finds only devices that the caller may see', async () => {
  const { alpha } = await addTenants(t.app.db, t.app.now());
  const stranger = t.with(createIdToken(alpha.member('administrator'))).client(MapService);
  const modemNumber = numbers[0]!;
  await expect(stranger.locationHistory({ modemNumber })).rejects.toMatchObject({ code: Code.NotFound });
  await expect(stranger.locationHistory({ organization: 'northwind', modemNumber })).rejects.toMatchObject({
    code: Code.PermissionDenied,
  });
  const hiddenNumber = numbers[5]!;
  await move(hiddenNumber, [1, 1, 1]);
  await t.app.db.orm.execute(
    sql`update device set lifecycle = ${Modem_Lifecycle.DEFECTIVE} where number = ${hiddenNumber}`,
  );
  await expect(map().locationHistory({ modemNumber: hiddenNumber })).rejects.toMatchObject({ code: Code.NotFound });
});

test.each([
  [{ modemNumber: '' }, /isn't a device number/],
  [{ modemNumber: 'pump' }, /isn't a device number/],
  [{ level: 22 }, /from 0 to 21/],
  [{ level: -1 }, /from 0 to 21/],
  [{ timeRange: { start: { textual: '2026-02-01' }, end: { textual: '2026-01-01' } } }, /ends before it starts/],
])('rejects %o', async (request, problem) => {
  await expect(map().locationHistory({ modemNumber: numbers[0]!, ...request })).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringMatching(problem),
  });
});

test('limits the positions of one call, and counts repeated positions once', async () => {
  const modemNumber = numbers[6]!;
  const fill = (latitude: ReturnType<typeof sql>, count: number) =>
    t.app.db.orm.execute(sql`
      insert into message (organization, received_at, number, sent_at, latitude, longitude, body)
      select 'northwind', ${minutesAgo(1)}, ${modemNumber}, ${minutesAgo(2000)}::timestamptz + n * interval '1 second',
             ${latitude}, 5, ''
        from generate_series(1, ${count}::int) as n`);
  await fill(sql`50`, 10_001);
  expect((await map().locationHistory({ modemNumber, level: LEVEL })).history).toHaveLength(1);
  await fill(sql`50 + n * 0.001`, 10_001);
  await expect(map().locationHistory({ modemNumber, level: LEVEL })).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining('10000 positions'),
  });
});
