import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import type { PanelHost } from '#commands/model/screen-hosts.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { LocationHistorySchema } from '#proto/gen/hiber/map_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from '../entity.ts';
import { locationColumns, locationsTab } from './tab.ts';

let server: TestServer;
let context: Context;
let number: string;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  const [item] = await listAll(device, 'lifecycle:INSTALLED', context);
  number = device.id(item!);
  const at = (days: number) => new Date(server.app.now().getTime() - days * 86_400_000).toISOString();
  const stops = [
    [10, 10, 20],
    [10, 11, 2],
    [12, 11, 1],
  ] as const;
  await server
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: stops.map(([latitude, longitude, days]) => ({
        modemNumber: number,
        location: { latitude, longitude },
        time: { textual: at(days) },
      })),
    });
});
afterAll(() => server.close());

const cell = (id: string, row: unknown) => locationColumns.find((column) => column.id === id)?.value(row as never);

test('lists the places of the last week, newest first, or those of a period', async () => {
  const [item] = await device.byIds(context, [number]);
  const places = async (filterValues = {}) =>
    (await locationsTab.load(context, item!, { page: 0, filterValues })).map((row) => cell('location', row));
  // The device also has messages of the demo.
  const stops = ['10, 10', '10, 11', '12, 11'];
  expect((await places()).filter((place) => stops.includes(place as string))).toEqual(['12, 11', '10, 11']);
  expect(await places({ period: { start: '-30d', end: '-15d' } })).toContain('10, 10');
  expect(await places({ period: { start: '-30d', end: '-29d' } })).toEqual([]);
});

test('shows how long a device stayed', () => {
  const times = { start: { timestamp: { seconds: 0n } }, end: { timestamp: { seconds: 97_200n } } };
  const stay = create(LocationHistorySchema, { when: { case: 'timeRange', value: times } });
  expect(cell('stay', stay)).toBe('1d3h');
  const stop = create(LocationHistorySchema, { when: { case: 'time', value: times.start } });
  expect([cell('stay', stop), cell('until', stop)]).toEqual([undefined, undefined]);
});

test('opens the tab with its period, and prints the places in a terminal', async () => {
  const open = vi.fn<PanelHost['open']>();
  const withHost = (host: Partial<HostCapabilities>): Context => ({ ...context, host: { ...context.host, ...host } });
  await type(withHost({ panel: { open } as unknown as PanelHost }), `device locations '${number}' -30d..now`);
  const filterValues = { period: { start: '-30d', end: 'now' } };
  expect(open).toHaveBeenCalledWith('device', number, 'locations', filterValues);
  const rows = vi.fn<NonNullable<HostCapabilities['output']>['rows']>();
  const output = { rows } as unknown as HostCapabilities['output'];
  await type(withHost({ output }), `device locations '${number}' -30d..now`);
  const [printed] = rows.mock.calls[0]!;
  expect((printed.json as readonly unknown[]).at(-1)).toMatchObject({ location: { latitude: 10, longitude: 10 } });
});
