import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Context, runContext } from '#commands/model/context.ts';
import { fileValue } from '#commands/model/files.ts';
import { succeededResults } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { contextAs, invoke } from '#commands/testkit/server.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { listAll } from './lookup.ts';
import { runUndo } from './undo-run.ts';
import { prepareUndo } from './undo.ts';

const DEVICES = 1100;

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer({ devices: DEVICES });
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const readNames = async () =>
  new Map((await listAll(device, 'sort:number', context)).map((item) => [device.id(item), device.label(item)]));

/** Counts the calls of the rpcs for devices, and passes them on. `onCall` can reject a call. */
function countCalls(onCall: (rpc: string) => void = () => undefined) {
  const calls: string[] = [];
  const client = context.api(DeviceService);
  const counting = new Proxy(client, {
    get:
      (target, rpc: string) =>
      (...args: readonly unknown[]) => {
        calls.push(rpc);
        onCall(rpc);
        return (target as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[rpc]!(...args);
      },
  });
  const api = ((service: unknown) =>
    service === DeviceService ? counting : context.api(service as typeof DeviceService)) as Context['api'];
  return { calls, context: { ...context, api } };
}

async function importNames(prefix: string) {
  const numbers = [...(await readNames()).keys()];
  const lines = ['number,name', ...numbers.map((number, index) => `${number},${prefix} ${index}`)];
  const file = fileValue({ name: 'x.csv', mediaType: 'text/csv', bytes: new TextEncoder().encode(lines.join('\n')) });
  return invoke(context, { id: 'device.import', args: { file } });
}

const entryOf = (run: Awaited<ReturnType<typeof importNames>>) => ({
  entry: { run, undone: false },
  skippedLater: false,
});

test('an undo with another value for each item shares its lookups and its calls', async () => {
  const before = await readNames();
  const run = await importNames('Together');
  expect(run.inverse!.length).toBeGreaterThan(1000);
  const counted = countCalls();
  const prepared = await prepareUndo(entryOf(run), registry, counted.context);
  expect(counted.calls.length).toBeLessThan(10);
  const lookups = counted.calls.length;
  const { outcome, remaining } = await runUndo(prepared, registry, runContext(counted.context, true));
  expect(counted.calls.length - lookups).toBeLessThan(10);
  expect([succeededResults(outcome).length, remaining]).toEqual([DEVICES, []]);
  expect(await readNames()).toEqual(before);
});

test('it keeps exactly what it did not restore, for the next undo', async () => {
  const before = await readNames();
  const run = await importNames('Later');
  const controller = new AbortController();
  const stopped = { ...context, signal: controller.signal, progress: () => controller.abort() };
  const prepared = await prepareUndo(entryOf(run), registry, context);
  const first = await runUndo(prepared, registry, runContext(stopped, true));
  const restored = [...(await readNames())].filter(([number, name]) => before.get(number) === name).length;
  expect(succeededResults(first.outcome)).toHaveLength(restored);
  expect(restored).toBeGreaterThan(0);
  expect(restored).toBeLessThan(DEVICES);
  const rest = await prepareUndo(entryOf({ ...run, inverse: first.remaining }), registry, context);
  expect(rest.plan.count).toBe(DEVICES - restored);
  await runUndo(rest, registry, runContext(context, true));
  expect(await readNames()).toEqual(before);
});
