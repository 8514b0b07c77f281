import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { processPoint } from './entity.ts';
import { listAssignments } from './period-requests.ts';

let server: TestServer;
let context: Context;
let number: string;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  number = device.id((await listAll(device, 'sort:name', context))[0]!);
});
afterAll(() => server.close());

let created = 0;
let point: string;
beforeEach(async () => {
  point = `Avocet ${++created}`;
  await type(context, `process-point create '${point}'`);
});

/** The periods of the device at the point as `05..07`, by the days of October 2026, oldest first. */
async function loadPeriods(): Promise<readonly string[]> {
  const [item] = await processPoint.find(context, point);
  const { organization, identifier } = item!.point;
  const assignments = await listAssignments(context, organization, { points: [identifier] });
  const day = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString().slice(8, 10));
  return assignments
    .toSorted((a, b) => a.since - b.since)
    .map(({ since, until, fields }) => [`${day(since)}..${day(until)}`, ...fields].join(' '));
}
const assign = (from: string, options = '') =>
  type(context, `process-point assign-device '${point}' '${number}' --from 2026-10-${from} ${options}`);
const move = (day: string) => `process-point move-assignment '${point}' '${number}' --from 2026-10-${day}`;
const replace = (...rows: readonly string[]) => ({
  id: 'process-point.import-assignments',
  args: { rows: ['device,point,from,until,fields', ...rows].join('\n'), replace: true },
});
const row = (from: string, until = '', fields = '') =>
  [number, point, `2026-10-${from}`, until && `2026-10-${until}`, fields].join(',');

type Method = 'assign' | 'unassign' | 'delete';
interface Call {
  readonly method: Method;
  /** The position of the call among those that change assignments, from 1. */
  readonly index: number;
}

/** Returns a context whose calls that change assignments go through `around`. */
function interceptCalls(around: (call: Call, send: () => Promise<unknown>) => Promise<unknown>): Context {
  let index = 0;
  const api: Context['api'] = (service) => {
    const client = context.api(service);
    if ((service as unknown) !== AssignmentService) return client;
    return new Proxy(client, {
      get: (target, name) => {
        const method = target[name as keyof typeof target] as (...args: readonly unknown[]) => Promise<unknown>;
        if (!['assign', 'unassign', 'delete'].includes(name as string)) return method;
        return (...args: readonly unknown[]) =>
          around({ method: name as Method, index: ++index }, () => method(...args));
      },
    });
  };
  return { ...context, api, host: {} };
}
const connectionLost = () => new ConnectError('The connection was lost.', Code.Unavailable);

test('restores the assignment if the second call of a move to a later start fails', async () => {
  await assign('01', '--until 2026-10-02');
  await assign('05', '--fields $.level');
  const methods: Method[] = [];
  const failing = interceptCalls(({ method, index }, send) => {
    methods.push(method);
    return index === 2 ? Promise.reject(connectionLost()) : send();
  });
  const run = await type(failing, move('08'));
  expect(methods.slice(0, 2)).toEqual(['delete', 'assign']);
  expect(run.outcome.results).toMatchObject([
    { failure: { message: { key: 'process-point:failed.restored', values: { reason: expect.anything() } } } },
  ]);
  expect(await loadPeriods()).toEqual(['01..02', '05.. $.level']);
  expect(run.inverse).toBeUndefined();
});

test('restores the assignment if a later call than the second fails', async () => {
  await assign('03', '--until 2026-10-06');
  await assign('08');
  const failing = interceptCalls(({ index }, send) => (index === 3 ? Promise.reject(connectionLost()) : send()));
  const run = await invoke(failing, replace(row('04', '05'), row('09')));
  expect(run.outcome.results).toMatchObject([{ failure: { message: { key: 'process-point:failed.restored' } } }]);
  expect(await loadPeriods()).toEqual(['03..06', '08..']);
});

test('restores the assignment if the server deletes it but its response is lost', async () => {
  await assign('05');
  const failing = interceptCalls(async ({ index }, send) => {
    const response = await send();
    if (index === 1) throw connectionLost();
    return response;
  });
  const run = await type(failing, move('08'));
  expect(run.outcome.results).toMatchObject([{ failure: { message: { key: 'process-point:failed.restored' } } }]);
  expect(await loadPeriods()).toEqual(['05..']);
});

test('lets undo restore the assignments if the connection stays lost', async () => {
  await assign('05');
  const failing = interceptCalls(({ index }, send) => (index > 1 ? Promise.reject(connectionLost()) : send()));
  const run = await type(failing, move('08'));
  expect(run.outcome.results).toMatchObject([
    { failure: { code: 'unavailable', partly: true, message: { key: 'process-point:failed.lost' } } },
  ]);
  expect(await loadPeriods()).toEqual([]);
  await undo(context, run);
  expect(await loadPeriods()).toEqual(['05..']);
});

test('stores what undo needs before deleting anything, and forgets it afterwards', async () => {
  await assign('05');
  const steps: string[] = [];
  let inverse: readonly Invocation[] = [];
  const traced = interceptCalls(({ method }, send) => {
    steps.push(method);
    return send();
  });
  const host: Context['host'] = {
    safeguard: (change) => {
      steps.push('store');
      inverse = change.inverse;
      return () => void steps.push('forget');
    },
  };
  await type({ ...traced, host }, move('08'));
  expect(steps).toEqual(['store', 'delete', 'assign', 'forget']);
  for (const invocation of inverse) await invoke(context, invocation);
  expect(await loadPeriods()).toEqual(['05..']);
  await type({ ...traced, host }, move('03'));
  expect(steps.slice(4)).toEqual(['assign']);
});

test('undo restores devices after the server rejects an assignment and all later calls', async () => {
  const devices = (await listAll(device, 'sort:name', context)).slice(0, 2).map(device.id);
  const rows = (from: string) => devices.map((id) => `${id},${point},2026-10-${from},,`);
  await invoke(context, replace(...rows('05')));
  const rejecting = interceptCalls(({ index }, send) =>
    index === 1 ? send() : Promise.reject(new ConnectError('No.', Code.PermissionDenied)),
  );
  const run = await invoke(rejecting, replace(...rows('08')));
  expect(await loadPeriods()).toEqual([]);
  await undo(context, run);
  expect(await loadPeriods()).toEqual(['05..', '05..']);
});

test('keeps what undo needs until all points are done', async () => {
  const first = point;
  point = `Avocet ${++created}`;
  await type(context, `process-point create '${point}'`);
  const rows = (from: string) => [first, point].map((name) => `${number},${name},2026-10-${from},,`);
  await invoke(context, replace(...rows('05')));
  const steps: string[] = [];
  const failing = interceptCalls(({ method, index }, send) => {
    steps.push(method);
    return index === 2 || index === 3 ? Promise.reject(connectionLost()) : send();
  });
  const safeguard = () => {
    steps.push('store');
    return () => void steps.push('forget');
  };
  await invoke({ ...failing, host: { safeguard } }, replace(...rows('08')));
  expect(steps).toEqual(['store', 'delete', 'assign', 'assign', 'delete', 'assign', 'forget']);
});

test('changes nothing if the server rejects the first call', async () => {
  await assign('05');
  const methods: Method[] = [];
  const rejecting = interceptCalls(({ method }) => {
    methods.push(method);
    return Promise.reject(new ConnectError('No.', Code.PermissionDenied));
  });
  const run = await type(rejecting, move('08'));
  expect(run.outcome.results).toMatchObject([{ failure: { code: 'permission_denied' } }]);
  expect(methods).toEqual(['delete']);
});

test.each([
  ['moves a start to an earlier time', () => [row('01', '02'), row('03')], ['01..02', '03..'], ['assign']],
  ['ends an assignment', () => [row('01', '02'), row('05', '09')], ['01..02', '05..09'], ['unassign']],
  [
    'splits an assignment',
    () => [row('01', '02'), row('05', '08'), row('08', '', '$.level')],
    ['01..02', '05..08', '08.. $.level'],
    ['assign'],
  ],
  ['adds assignments', () => [row('01', '02'), row('03', '04'), row('05')], ['01..02', '03..04', '05..'], ['assign']],
  ['joins assignments', () => [row('01')], ['01..'], ['assign']],
] as const)('%s without deleting anything first', async (_title, rows, after, expected) => {
  await assign('01', '--until 2026-10-02');
  await assign('05');
  const before = await loadPeriods();
  const methods: Method[] = [];
  const traced = interceptCalls(({ method }, send) => {
    methods.push(method);
    return send();
  });
  const run = await invoke(traced, replace(...rows()));
  expect(await loadPeriods()).toEqual(after);
  expect(methods).toEqual(expected);
  expect(JSON.stringify(run.summary)).toContain('process-point:plan.replace');
  await undo(context, run);
  expect(await loadPeriods()).toEqual(before);
});

test('deletes first if an assignment would be lost between two others', async () => {
  await assign('05');
  const methods: Method[] = [];
  const traced = interceptCalls(({ method }, send) => {
    methods.push(method);
    return send();
  });
  await invoke(traced, replace(row('04', '06'), row('07')));
  expect(methods).toEqual(['delete', 'assign', 'assign']);
  expect(await loadPeriods()).toEqual(['04..06', '07..']);
});

test('the plan says whether it deletes the old assignments first', async () => {
  await assign('05');
  const deletesFirst = { key: 'process-point:plan.deletesFirst', values: { count: 1 } };
  expect((await planLine(context, move('08')))?.notes).toEqual([deletesFirst]);
  expect((await planLine(context, move('03')))?.notes).toEqual([]);
  const line = (day: string) => `process-point import-assignments --replace --rows '${number},${point},2026-10-${day}'`;
  expect((await planLine(context, line('08')))?.notes).toEqual([deletesFirst]);
  expect((await planLine(context, line('03')))?.notes).toEqual([]);
});
