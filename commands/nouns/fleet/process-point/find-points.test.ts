import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { findAll } from '#commands/run/find-all.ts';
import { findOne } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { processPoint } from './entity.ts';

const names = Array.from({ length: 40 }, (_, index) => `Curlew ${index}`);

let server: TestServer;
let context: Context;
/** The number of calls of List. */
let calls = 0;
beforeAll(async () => {
  server = await startTestServer();
  const serverContext = await contextAs(server, 'administrator');
  const countCalls = (target: object): object =>
    new Proxy(target, {
      get: (client, name) => {
        if (name === 'list') calls += 1;
        return Reflect.get(client, name);
      },
    });
  const api = (service: Parameters<Context['api']>[0]) => {
    const client = serverContext.api(service);
    return service === ModemService || service === ProcessPointService ? countCalls(client) : client;
  };
  context = { ...serverContext, api: api as Context['api'] };
  for (const name of names) await type(context, `process-point create '${name}'`);
});
afterAll(() => server.close());

const isId = (text: string): boolean => text.startsWith('#');
/** Returns the key of a problem, or the label of the item. */
const summarize = (found: unknown, label: (item: never) => string): string =>
  found !== null && typeof found === 'object' && 'key' in found ? (found.key as string) : label(found as never);

test('finds many points by name in a few calls, and says which are unknown or ambiguous', async () => {
  const [first, second] = [await processPoint.find(context, 'Curlew 1'), await processPoint.find(context, 'Curlew 2')];
  const [id, ambiguous] = [processPoint.id(first[0]!), processPoint.id(second[0]!)];
  await type(context, `process-point create '${ambiguous}'`);
  const inputs = [...names, ambiguous, 'Curlew nowhere', `#${id}`];
  calls = 0;
  const found = await findAll(processPoint, inputs, isId, context);
  const callCount = calls;
  expect(names.map((name) => summarize(found.get(name), processPoint.label))).toEqual(names);
  expect(summarize(found.get(ambiguous), processPoint.label)).toBe('running:lookup.ambiguous');
  expect(summarize(found.get('Curlew nowhere'), processPoint.label)).toMatch(/^running:lookup\.n/);
  expect(found.get(inputs.at(-1)!)).toMatchObject({ point: { identifier: id } });
  // One for the id, three for the names, and a few for the suggestions.
  expect(callCount).toBeLessThan(12);
  for (const name of names.slice(0, 3))
    expect(processPoint.id(found.get(name) as never)).toBe(
      processPoint.id((await findOne(processPoint, name, context))!),
    );
});

test('finds many devices by name in a few calls, and by number although one of them is unknown', async () => {
  const { items } = await device.list(context, { selection: device.emptySelection(), sort: [] }, { page: 0, size: 40 });
  const named = items.filter(({ modem }) => modem.name !== '').map(({ modem }) => modem.name);
  const deviceNames = [...new Set(named)];
  expect(deviceNames.length).toBeGreaterThan(10);
  const inputs = [...deviceNames, ...items.map(device.id), '0000 0000'];
  calls = 0;
  const found = await findAll(device, inputs, device.isId, context);
  expect(calls).toBeLessThan(40);
  expect(items.map(({ modem }) => summarize(found.get(modem.number), device.id))).toEqual(items.map(device.id));
  for (const name of deviceNames) {
    const matches = await device.find(context, name);
    expect(summarize(found.get(name), device.id), name).toBe(
      matches.length === 1 ? device.id(matches[0]!) : 'running:lookup.ambiguous',
    );
  }
  expect(summarize(found.get('0000 0000'), device.id)).toMatch(/^running:lookup\.n/);
});

test('looks up names one by one if the server rejects them together', async () => {
  const tooMany = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(600));
  const found = await findAll(processPoint, [...names, ...tooMany], isId, context);
  expect(names.map((name) => summarize(found.get(name), processPoint.label))).toEqual(names);
  for (const text of tooMany) expect(found.get(text)).toHaveProperty('key');
});
