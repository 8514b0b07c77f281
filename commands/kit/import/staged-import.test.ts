import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { CallMonitor, Context } from '#commands/model/context.ts';
import { fileValue } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { failedResults, skippedResults, succeededResults, type Outcome } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { peripheralsOf } from '#commands/nouns/fleet/device/peripherals.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { createRunRecord, toInterruptedRun, type CallRecord } from '#commands/run/run-record.ts';
import { prepare, resumeInvocation, retryInvocation, run as runPrepared } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { contextAs, invoke, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const DEVICES = 2100;

let server: TestServer;
let context: Context;
let numbers: readonly string[];
beforeAll(async () => {
  server = await startTestServer({ devices: DEVICES });
  context = await contextAs(server, 'administrator');
  numbers = (await listAll(device, 'sort:number', context)).map((item) => device.id(item));
});
afterAll(() => server.close());

const toFile = (...lines: readonly string[]): string =>
  fileValue({ name: 'rows.csv', mediaType: 'text/csv', bytes: new TextEncoder().encode(lines.join('\n')) });

/** A table that gives every device the same value, or only the first ones. */
const mountTable = (mount: string, count = DEVICES): string =>
  toFile('number,peripherals', ...numbers.slice(0, count).map((number) => `${number},mount=${mount}`));

const countWithMount = async (mount: string): Promise<number> =>
  (await listAll(device, 'sort:number', context)).filter((item) => peripheralsOf(item)['mount'] === mount).length;

const counts = (outcome: Outcome): readonly number[] =>
  [succeededResults, failedResults, skippedResults].map((pick) => pick(outcome).length);

interface Options {
  /** Cancels the run after the call with so many rows. */
  readonly cancelAfter?: number;
}

async function run(id: string, args: Args, { cancelAfter }: Options = {}) {
  const controller = new AbortController();
  const sizes: number[] = [];
  const calls: CallRecord[] = [];
  const monitor: CallMonitor = {
    ready: async () => undefined,
    begin: async (ids, inverse = []) => {
      sizes.push(ids.length);
      calls.push({ ids, inverse });
    },
    end: async (results, inverse = []) => {
      calls.pop();
      const failures = results.flatMap(({ id: line, failure }) => (failure ? [{ id: line, failure }] : []));
      calls.push({ ids: results.map((result) => result.id), failures, inverse });
      if (results.length === cancelAfter) controller.abort();
    },
  };
  const prepared = await prepare(registry.command(id)!, args, context);
  const record = createRunRecord(prepared, context, { id: 'r1', startedAt: 1 });
  const completedRun = await runPrepared(prepared, { ...context, signal: controller.signal }, monitor);
  return { prepared, record, completedRun, sizes, calls };
}

test('an import of a whole fleet runs in stages, stops when canceled, continues, and is undone', async () => {
  const command = registry.command('device.import')!;
  const file = mountTable('Tokyo');
  expect((await prepare(command, { file: mountTable('Tokyo', 1999) }, context)).plan?.staged).toBeUndefined();
  const first = await run('device.import', { file }, { cancelAfter: 10 });
  expect(first.prepared.plan).toMatchObject({ count: DEVICES, staged: true });
  expect(first.sizes).toEqual([1, 10]);
  expect(counts(first.completedRun.outcome)).toEqual([11, 0, DEVICES - 11]);
  expect(first.completedRun.stopped).toBeUndefined();
  // The history has no content of files.
  expect(first.completedRun.invocation.args['file']).toBe('@rows.csv');
  expect(await countWithMount('Tokyo')).toBe(11);
  const rest = resumeInvocation(command, first.completedRun)!;
  const second = await run(rest.id, rest.args);
  expect(second.sizes).toEqual([1, 10, 500, 500, 500, 500, 78]);
  // Each row keeps its line.
  expect(second.completedRun.outcome.results?.at(0)?.id).toBe('13');
  expect(await countWithMount('Tokyo')).toBe(DEVICES);
  await undo(context, second.completedRun);
  expect(await countWithMount('Tokyo')).toBe(11);
  await undo(context, first.completedRun);
  expect(await countWithMount('Tokyo')).toBe(0);
});

test('it stops when too many rows fail, and those can be retried', async () => {
  const command = registry.command('device.import')!;
  const prepared = await prepare(command, { file: mountTable('Seoul') }, context);
  const broken = (() => {
    throw new TypeError('broken');
  }) as unknown as Context['api'];
  const completedRun = await runPrepared(prepared, { ...context, api: broken, host: {} });
  expect(counts(completedRun.outcome)).toEqual([0, 1, DEVICES - 1]);
  expect(completedRun.stopped).toBe(true);
  // The rows to fix have the reason, and can be imported again.
  const table = command.rows!.toFix(completedRun.fullArgs!, failedResults(completedRun.outcome), ({ key }) => key);
  expect(table).toBe(`number,peripherals,error\r\n${numbers[0]},mount=Seoul,core:error.connection\r\n`);
  const retried = await invoke(context, retryInvocation(command, completedRun)!);
  expect(counts(retried.outcome)).toEqual([1, 0, 0]);
  await undo(context, retried);
  expect(await countWithMount('Seoul')).toBe(0);
});

test('a change by someone else after a partial import is noticed by its undo', async () => {
  const { completedRun } = await run('device.import', { file: mountTable('Dubai') }, { cancelAfter: 10 });
  const theirs = await invoke(context, {
    id: 'device.edit',
    args: { devices: { ids: [numbers[0]!] }, peripherals: { mount: 'Baku' } },
  });
  const prepared = await prepareUndo(
    { entry: { run: completedRun, undone: false }, skippedLater: false },
    registry,
    context,
  );
  expect(prepared).toMatchObject({ confirm: true, plan: { notes: [{ key: 'running:undo.conflict' }] } });
  await undo(context, theirs);
  await undo(context, completedRun);
});

test('after a crash, the stored rows continue, and what was done can be undone', async () => {
  const names = ['Crane 1', 'Crane 2', 'Crane 3'];
  const file = toFile('name', ...names);
  const { record, completedRun, calls } = await run('tag.import', { file });
  expect(JSON.parse(JSON.stringify(record))).toMatchObject({ ids: ['2', '3', '4'], labels: names, isRepeatable: true });
  await undo(context, completedRun);
  // The page closed during the second call, and its response is unknown.
  const again = await run('tag.import', { file }, { cancelAfter: 1 });
  expect(counts(again.completedRun.outcome)).toEqual([1, 0, 2]);
  const interrupted = toInterruptedRun(record!, [again.calls[0]!, { ids: ['3'], inverse: [] }]);
  expect(interrupted.inverse).toEqual(again.completedRun.inverse);
  const rest = resumeInvocation(registry.command('tag.import')!, interrupted)!;
  const resumed = await run(rest.id, rest.args);
  expect(resumed.completedRun.outcome.results?.map(({ label }) => label)).toEqual(names.slice(1));
  expect(calls).toHaveLength(3);
  await undo(context, resumed.completedRun);
  await undo(context, interrupted);
  expect(await tag.search(context, 'Crane', 10)).toEqual([]);
});

test('a change whose response is unknown is undone too, if it is known before the call', async () => {
  const { record, calls } = await run('device.import', { file: mountTable('Dhaka', 3) }, { cancelAfter: 1 });
  const [call] = calls;
  const interrupted = toInterruptedRun(record!, [{ ids: call!.ids, inverse: call!.inverse! }]);
  expect(interrupted.outcome.results?.map(({ failure }) => failure?.code)).toEqual(Array(3).fill('unavailable'));
  expect(await countWithMount('Dhaka')).toBe(3);
  await undo(context, interrupted);
  expect(await countWithMount('Dhaka')).toBe(0);
});

interface UpdateRequest {
  readonly devices: readonly { readonly name?: string }[];
}
type Send = (request: UpdateRequest, options: object) => Promise<unknown>;

test('rows with different values share calls, and a row that the server rejects fails alone', async () => {
  const names = (round: string) => numbers.slice(0, 1200).map((number, index) => `${number},Pump ${round}${index}`);
  const { completedRun, sizes } = await run('device.import', { file: toFile('number,name', ...names('A')) });
  expect([sizes, counts(completedRun.outcome)]).toEqual([
    [500, 500, 200],
    [1200, 0, 0],
  ]);
  const labelsOf = async (ids: readonly string[]) => (await device.byIds(context, ids)).map(device.label).toSorted();
  expect(await labelsOf(numbers.slice(7, 9))).toEqual(['Pump A7', 'Pump A8']);

  const rejectOne = async (send: Send, request: UpdateRequest, options: object): Promise<unknown> => {
    updates.push(request.devices.length);
    if (request.devices.some((update) => update.name === 'Pump B5'))
      throw new ConnectError('This name is taken.', Code.FailedPrecondition);
    return send(request, options);
  };
  const rejects: Context['api'] = (service) =>
    new Proxy(context.api(service), {
      get(client, name) {
        const send = Reflect.get(client, name) as unknown as Send;
        return name === 'update'
          ? (request: UpdateRequest, options: object) => rejectOne(send, request, options)
          : send;
      },
    });
  const updates: number[] = [];
  const rows = names('B').slice(0, 8);
  const prepared = await prepare(registry.command('device.import')!, { file: toFile('number,name', ...rows) }, context);
  const { outcome } = await runPrepared(prepared, { ...context, api: rejects });
  expect(failedResults(outcome)).toMatchObject([{ id: '7', label: expect.stringContaining('Pump A5') as string }]);
  expect(updates).toEqual([8, 4, 4, 2, 1, 1, 2]);
  expect(await labelsOf(numbers.slice(4, 7))).toEqual(['Pump A5', 'Pump B4', 'Pump B6']);
});
