import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseArgv } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import { fileValue, type FileContent } from '#commands/model/files.ts';
import type { FilesHost } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { listAll } from '#commands/run/lookup.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { processPoint } from './entity.ts';
import { listAssignments } from './period-requests.ts';
import { loadTimeline } from './timeline.ts';

let server: TestServer;
let context: Context;
let numbers: readonly string[];
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  numbers = (await listAll(device, 'sort:name', context)).slice(0, 12).map(device.id);
});
afterAll(() => server.close());

let created = 0;
async function createPoint(): Promise<string> {
  const name = `Curlew ${++created}`;
  await type(context, `process-point create '${name}'`);
  return name;
}
async function findItem(name: string) {
  const [item] = await processPoint.find(context, name);
  if (!item) throw new Error(`No process point is named ${name}.`);
  return item;
}
/** The periods at a point as `4B7E 21D0 2026-10-05..2026-10-07`, oldest first. */
async function periodsAt(name: string): Promise<readonly string[]> {
  const { point } = await findItem(name);
  const periods = await listAssignments(context, point.organization, { points: [point.identifier] });
  const print = (ms: number | undefined) =>
    ms === undefined ? '' : new Date(ms).toISOString().replace(/T00:00:00\.000Z$/, '');
  return periods
    .toSorted((a, b) => a.since - b.since || (a.number < b.number ? -1 : 1))
    .map(({ number, since, until, fields }) => [number, `${print(since)}..${print(until)}`, ...fields].join(' '));
}
const rejection = (key: string, values: object = {}, prefix = 'process-point:validation') => ({
  userMessage: { key: `${prefix}.${key}`, values: expect.objectContaining(values) },
});
const tableRejection = (key: string, values: object = {}) => rejection(key, values, 'running:import');

test('assigns devices to points from a past day, and undo removes the assignments', async () => {
  const [first, second] = [await createPoint(), await createPoint()];
  const [a, b] = numbers;
  const run = await type(
    context,
    `process-point assign-device '${first},${second}' '${a},${b}' --from 2026-10-05 --fields $.level,$.status`,
  );
  expect(run.outcome.results).toHaveLength(2);
  const expected = [`${a} 2026-10-05.. $.level $.status`, `${b} 2026-10-05.. $.level $.status`].toSorted();
  expect((await periodsAt(first)).toSorted()).toEqual(expected);
  expect((await periodsAt(second)).toSorted()).toEqual(expected);
  await undo(context, run);
  expect([await periodsAt(first), await periodsAt(second)]).toEqual([[], []]);
});

test('starts now by default, at the time that the plan states', async () => {
  const [name, [number]] = [await createPoint(), numbers];
  const before = Date.now();
  const run = await type(context, `process-point assign '${number}' '${name}'`);
  const [period] = await listAssignments(context, (await findItem(name)).point.organization, {
    points: [(await findItem(name)).point.identifier],
  });
  expect(period!.since).toBeGreaterThan(before - 1001);
  expect(JSON.stringify(run.changes)).toContain('process-point:period.current');
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([]);
});

test('shows a conflict beforehand, and ends the earlier assignment only on request', async () => {
  const [name, number] = [await createPoint(), numbers[1]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`);
  const line = `process-point assign-device '${name}' '${number}' --from 2026-10-07 --fields $.level`;
  await expect(planLine(context, line)).rejects.toMatchObject(
    rejection('conflictEnd', { conflicts: expect.objectContaining({ key: 'process-point:validation.measures' }) }),
  );
  const plan = await planLine(context, `${line} --override`);
  expect(plan).toMatchObject({
    count: 1,
    reversible: true,
    notes: [{ key: 'process-point:plan.ends', values: { point: name } }, { key: 'process-point:plan.undeclared' }],
  });
  const run = await type(context, `${line} --override`);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-05..2026-10-07`, `${number} 2026-10-07.. $.level`]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-05..`]);
});

test('deletes an assignment that a new one would replace only on request, and undo restores it', async () => {
  const [name, number] = [await createPoint(), numbers[2]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-07 --until 2026-10-08`);
  const line = `process-point assign-device '${name}' '${number}' --from 2026-10-05`;
  await expect(planLine(context, line)).rejects.toMatchObject(rejection('conflictDelete'));
  await expect(planLine(context, `${line} --override`)).rejects.toMatchObject(rejection('conflictDeleteToo'));
  await expect(planLine(context, `${line} --allow-delete`)).rejects.toMatchObject({
    userMessage: { key: 'process-point:validation.deleteWithoutOverride' },
  });
  const run = await type(context, `${line} --override --allow-delete`);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-05..`]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-07..2026-10-08`]);
});

test('counts assignments that exist already', async () => {
  const [name, number] = [await createPoint(), numbers[3]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`);
  const plan = await planLine(context, `process-point assign '${number}' '${name}' --from 2026-10-06`);
  expect(plan).toMatchObject({ count: 0, notes: [{ values: { count: 1 } }] });
});

test('compares shared fields in any order and spelling, and rejects what is no path', async () => {
  const [name, number] = [await createPoint(), numbers[3]!];
  const line = (fields: string) =>
    `process-point assign-device '${name}' '${number}' --from 2026-10-05 --fields "${fields}"`;
  await type(context, line('$.a.b,level'));
  expect(await planLine(context, line(".level,$.a['b']"))).toMatchObject({ count: 0 });
  await expect(planLine(context, line('level,other'))).rejects.toMatchObject({ param: 'override' });
  await expect(planLine(context, line('level,$.['))).rejects.toMatchObject({
    ...rejection('path', { path: '$.[' }),
    param: 'fields',
  });
});

test('ends assignments in the past, and undo continues them', async () => {
  const [name, number] = [await createPoint(), numbers[4]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`);
  await expect(
    planLine(context, `process-point unassign-device '${name}' '${number}' --at 2026-10-04`),
  ).rejects.toMatchObject(rejection('startsLater', { point: name }));
  const run = await type(context, `process-point unassign '${number}' '${name}' --at 2026-10-09`);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-05..2026-10-09`]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-05..`]);
});

test('deletes the history of a device at a point, and undo restores each period', async () => {
  const [name, number] = [await createPoint(), numbers[5]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-01 --until 2026-10-02`);
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05 --fields $.level`);
  const line = `process-point unassign-device '${name}' '${number}' --delete-history`;
  expect(await planLine(context, line)).toMatchObject({ notes: [{ values: { count: 2 } }] });
  const before = await periodsAt(name);
  const run = await type(context, line);
  expect(await periodsAt(name)).toEqual([]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual(before);
});

test.each([
  ['back', '2026-10-03'],
  ['forward', '2026-10-08'],
])('moves the start of the latest assignment %s', async (_direction, day) => {
  const [name, number] = [await createPoint(), numbers[6]!];
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-01 --until 2026-10-02`);
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`);
  const before = await periodsAt(name);
  const run = await type(context, `process-point move-assignment '${name}' '${number}' --from ${day}`);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-01..2026-10-02`, `${number} ${day}..`]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual(before);
});

test('rejects a new start inside another assignment, after its end, or without an assignment', async () => {
  const [name, number] = [await createPoint(), numbers[7]!];
  const move = `process-point move-assignment '${name}' '${number}'`;
  await expect(planLine(context, `${move} --from 2026-10-01`)).rejects.toMatchObject(rejection('neverAssigned'));
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-01 --until 2026-10-04`);
  await type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`);
  await expect(planLine(context, `${move} --from 2026-10-03`)).rejects.toMatchObject(rejection('conflictEnd'));
  await expect(planLine(context, `${move} --from 2026-10-04 --start 2026-10-01`)).rejects.toMatchObject(
    rejection('startAfterEnd'),
  );
  await expect(planLine(context, `${move} --from 2026-10-04 --start 2026-09-01`)).rejects.toMatchObject(
    rejection('noSuchStart'),
  );
  const run = await type(context, `${move} --from 2026-10-03 --override`);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-01..2026-10-03`, `${number} 2026-10-03..`]);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-01..2026-10-04`, `${number} 2026-10-05..`]);
});

test('imports a table, and undo removes what it added', async () => {
  const [first, second] = [await createPoint(), await createPoint()];
  const [a, b, c] = numbers.slice(8);
  const rows = [
    'point,device,from,until',
    `${first},${a},2026-10-01,2026-10-04`,
    `${first},${b},2026-10-04,`,
    `${second},${c},2026-10-01T06:00Z,`,
  ].join('\n');
  const invocation = { id: 'process-point.import-assignments', args: { rows } };
  const run = await invoke(context, invocation);
  expect(await periodsAt(first)).toEqual([`${a} 2026-10-01..2026-10-04`, `${b} 2026-10-04..`]);
  expect(await periodsAt(second)).toEqual([`${c} 2026-10-01T06:00:00.000Z..`]);
  const again = await invoke(context, invocation);
  expect(again.outcome.message).toEqual({ key: 'common:done.nothing' });
  await undo(context, run);
  expect([await periodsAt(first), await periodsAt(second)]).toEqual([[], []]);
});

test('reports the row, column, and reason of every problem, and imports nothing', async () => {
  const [name, number] = [await createPoint(), numbers[8]!];
  const rows = [
    'device,point,from,until,fields',
    `${number},${name},2026-10-01,`,
    `0000 0000,${name},2026-10-01,`,
    `${number},Curlow 1,2026-31-10,2999-01-01`,
    `${number},${name},2026-10-02,`,
    `,${name}`,
    `${numbers[7]},${name},2026-10-01,,level|a[*]`,
  ].join('\n');
  const bytes = new TextEncoder().encode(rows);
  const file = fileValue({ name: 'rows.csv', mediaType: 'text/csv', bytes });
  const error = await invoke(context, { id: 'process-point.import-assignments', args: { file } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ ...tableRejection('rows', { count: 5 }), param: 'file' });
  const text = JSON.stringify(error);
  expect(text.indexOf('"line":4,"column":"point"')).toBeLessThan(text.indexOf('"line":4,"column":"from"'));
  for (const part of [
    '"line":3,"column":"device"',
    '"line":4,"column":"point"',
    '"line":4,"column":"from"',
    '"line":4,"column":"until"',
    '"line":5,"reason":{"key":"process-point:row.overlaps"',
    '"line":6,"column":"device"',
    '"line":7,"column":"fields"',
  ])
    expect(text).toContain(part);
  expect(await periodsAt(name)).toEqual([]);

  const run = await invoke(context, { id: 'process-point.import-assignments', args: { file, skip: true } });
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-01..`]);
  expect(run.outcome.results?.filter(({ failure }) => failure)).toHaveLength(7);
  await undo(context, run);
  expect(await periodsAt(name)).toEqual([]);
});

test('saves the rows with problems as a table to fix, which imports once it is fixed', async () => {
  const [name, number, other] = [await createPoint(), numbers[6]!, numbers[7]!];
  const saved: string[] = [];
  const save = async ({ name: file, bytes }: FileContent): Promise<string> => {
    saved.push(new TextDecoder().decode(bytes));
    return file;
  };
  const withFiles: Context = { ...context, host: { ...context.host, files: { save } as unknown as FilesHost } };
  const rows = `${number},${name},2026-10-01\n${other},"${name}",2026-31-10`;
  const run = (args: object) =>
    invoke(withFiles, { id: 'process-point.import-assignments', args: { rows, save: true, ...args } });
  expect((await run({})).outcome.message).toMatchObject({
    key: 'running:import.saved',
    values: { count: 1, name: 'assignments-to-fix.csv' },
  });
  expect(await periodsAt(name)).toEqual([]);
  await run({ skip: true });
  expect(await periodsAt(name)).toEqual([`${number} 2026-10-01..`]);
  const table = `device,point,from,until,fields,error\r\n${other},${name},2026-31-10,,,from: process-point:row.time\r\n`;
  expect(saved).toEqual([table, table]);
  await run({ rows: table.replace('2026-31-10', '2026-10-31').replace(/,error|,from: .*/g, '') });
  expect((await periodsAt(name)).toSorted()).toEqual([`${number} 2026-10-01..`, `${other} 2026-10-31..`].toSorted());
});

test('rejects a table with an unclosed quotation mark', async () => {
  const [name, [number]] = [await createPoint(), numbers];
  const rows = `${number},${name},2026-10-01,,"pressure\n${number},Curlow 1`;
  const error = await invoke(context, { id: 'process-point.import-assignments', args: { rows } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject(tableRejection('rows', { count: 1 }));
  expect(JSON.stringify(error)).toContain('"line":1,"reason":{"key":"running:import.openQuote"');
  expect(await periodsAt(name)).toEqual([]);
});

test('reads a table in the encodings of spreadsheets, and rejects another file and a cell that is too long', async () => {
  const run = (bytes: Uint8Array) =>
    invoke(context, {
      id: 'process-point.import-assignments',
      args: { file: fileValue({ name: 'rows.csv', mediaType: 'text/csv', bytes }) },
    }).catch((thrown: unknown) => thrown);
  const unknownNames = [
    [Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x2c, 0, 0x42, 0), 'B'],
    [Uint8Array.of(0x41, 0x2c, 0x43, 0xe9), 'Cé'],
  ] as const;
  for (const [bytes, name] of unknownNames) expect(JSON.stringify(await run(bytes))).toContain(`"text":"${name}"`);
  for (const bytes of [Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0, 0), Uint8Array.of(0xff, 0xfe, 0x41)])
    expect(await run(bytes)).toMatchObject({ userMessage: { key: 'running:import.encoding' }, param: 'file' });
  expect(await run(new Uint8Array())).toMatchObject({
    userMessage: { key: 'running:import.emptyFile', values: { name: 'rows.csv' } },
    param: 'file',
  });
  expect(JSON.stringify(await run(new TextEncoder().encode(`A,${'B'.repeat(501)}`)))).toContain(
    '"line":1,"column":"point","reason":{"key":"core:validation.maxLength"',
  );
});

test.each([',,,\n,,', 'device,point,from'])('rejects a table without rows: %j', async (rows) => {
  for (const replace of [false, true]) {
    const invocation = { id: 'process-point.import-assignments', args: { rows, replace } };
    await expect(invoke(context, invocation)).rejects.toMatchObject({
      userMessage: { key: 'running:import.emptyTable' },
      param: 'rows',
    });
  }
});

test('rejects more than a thousand rows, and a table without a device column', async () => {
  const rows = Array.from({ length: 1001 }, () => 'A,B').join('\n');
  await expect(invoke(context, { id: 'process-point.import-assignments', args: { rows } })).rejects.toMatchObject(
    tableRejection('tooManyRows', { count: 1001, max: 1000 }),
  );
  await expect(
    invoke(context, { id: 'process-point.import-assignments', args: { rows: 'point,devise\nA,B' } }),
  ).rejects.toMatchObject(tableRejection('rows'));
});

test('lists the devices of a point with the current ones first', async () => {
  const [name, [a, b]] = [await createPoint(), numbers];
  await type(context, `process-point assign-device '${name}' '${a}' --from 2026-10-01 --until 2026-10-04`);
  await type(context, `process-point assign-device '${name}' '${b}' --from 2026-10-02`);
  const rows = await loadTimeline(context, await findItem(name));
  expect(rows.map(({ number, periods }) => [number, periods.length])).toEqual([
    [b, 1],
    [a, 1],
  ]);
});

test('opens the timeline of the selected point, but not of several', async () => {
  const [first, second] = [await findItem(await createPoint()), await findItem(await createPoint())];
  const paths: string[] = [];
  const inConsole: Context = { ...context, host: { navigate: ({ path }) => void paths.push(path) } };
  const open = (...points: readonly (typeof first)[]) =>
    invoke(inConsole, {
      id: 'process-point.assignments',
      args: { processPoints: { ids: points.map(processPoint.id) } },
    });
  await open(first);
  expect(paths).toEqual([`/process-points/${first.point.identifier}/assign`]);
  await expect(open(first, second)).rejects.toMatchObject({ userMessage: { key: 'core:validation.atMost' } });
});

test.each(['-', '@rows.csv'])('reads a table from the input or a file: %s', (source) => {
  const table = 'device,point\n4B7E 21D0,Curlew 1\n';
  const { invocation } = parseArgv(['process-point', 'import-assignments', source], registry, () => table);
  expect(invocation?.args).toEqual({ rows: table.trimEnd() });
});

describe('undo asks before it overwrites later changes', () => {
  const prepare = (run: CompletedRun) =>
    prepareUndo({ entry: { run: run, undone: false }, skippedLater: false }, registry, context);

  test.each(['of a point', 'of a device', 'from a table'] as const)('after an assignment %s', async (kind) => {
    const [name, number] = [await createPoint(), numbers[9]!];
    const rows = `device,point,from\n${number},${name},2026-10-05`;
    const run = await {
      'of a point': () => type(context, `process-point assign-device '${name}' '${number}' --from 2026-10-05`),
      'of a device': () => type(context, `process-point assign '${number}' '${name}' --from 2026-10-05`),
      'from a table': () => invoke(context, { id: 'process-point.import-assignments', args: { rows } }),
    }[kind]();
    expect(await prepare(run)).toMatchObject({ confirm: false, plan: { count: 1 } });
    await type(context, `process-point move-assignment '${name}' '${number}' --from 2026-10-06`);
    expect(await prepare(run)).toMatchObject({
      confirm: true,
      plan: { notes: [{ key: 'running:undo.conflict', values: { names: name } }] },
    });
  });
});
