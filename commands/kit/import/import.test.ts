import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { csvParts } from '#commands/kit/csv-table.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileValue, type FileContent } from '#commands/model/files.ts';
import type { FilesHost } from '#commands/model/host.ts';
import type { Args } from '#commands/model/invocation.ts';
import { failedResults } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { nameOf, typeOf } from '#commands/nouns/fleet/tag/item.ts';
import { prepare, run as runPrepared } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { contextAs, invoke, type, undo } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
let context: Context;
const saved: { readonly name: string; readonly text: string }[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const serverContext = await contextAs(server, 'administrator');
  const save = async ({ name, bytes }: FileContent): Promise<string> => {
    saved.push({ name, text: new TextDecoder().decode(bytes) });
    return name;
  };
  const labels: Readonly<Record<string, string>> = { 'tag:commands.create.params.priority': 'Rang' };
  context = {
    ...serverContext,
    host: {
      ...serverContext.host,
      translate: ({ key }) => labels[key] ?? key,
      files: { save } as unknown as FilesHost,
    },
  };
});
afterAll(() => server.close());

const run = (args: Args) => invoke(context, { id: 'tag.import', args });
const plan = async (args: Args) => (await prepare(registry.command('tag.import')!, args, context)).plan!;
const failure = (args: Args) => plan(args).catch((error: unknown) => error);
const toFile = (text: string): string =>
  fileValue({ name: 'many.csv', mediaType: 'text/csv', bytes: new TextEncoder().encode(text) });
const tags = async (search: string) =>
  (await tag.search(context, search, 100))
    .map((item) => `${nameOf(item)}:${typeOf(item)}:${item.tag.priority ?? ''}`)
    .toSorted();
const notes = async (args: Args) =>
  ((await plan(args)).notes ?? []).map(({ key, values = {} }) => `${key} ${JSON.stringify(Object.values(values))}`);

test('creates and changes tags, says so in the plan, and undo reverts all of it', async () => {
  await type(context, "tag create 'Plover 1' --priority 1");
  await type(context, "tag create 'Plover 2' --priority 2");
  const rows = 'Name;Rang;type\nPlover 1;7;\nplover 2;2;\nPlover 3;3;well\n"Plover; 4";;site';
  expect(await plan({ rows })).toMatchObject({ count: 3, reversible: true });
  expect((await plan({ rows })).changes).toMatchObject([
    { label: 'Plover 1', before: '1', after: '7' },
    { label: 'Plover 3', after: '3' },
    { label: 'Plover 3', after: 'well' },
    { label: 'Plover; 4', after: 'site' },
  ]);
  expect(await notes({ rows })).toEqual([
    'running:import.creates [2]',
    'running:import.changes [1]',
    'running:import.unchanged [1]',
    expect.stringMatching(
      /^running:import.reads .*"before":"Name","next":{"key":"running:import.mapped".*"head":"Rang",.*"next":"type"/,
    ),
  ]);
  const completedRun = await run({ rows });
  expect(completedRun.outcome).toMatchObject({
    data: { created: 2, changed: 1, unchanged: 1 },
    message: { key: 'running:import.done' },
  });
  expect(await tags('plover')).toEqual(['Plover 1:group:7', 'Plover 2:group:2', 'Plover 3:well:3', 'Plover; 4:site:']);
  // One step deletes what was created, and one restores what was changed.
  expect(completedRun.inverse).toHaveLength(2);
  await undo(context, completedRun);
  expect(await tags('plover')).toEqual(['Plover 1:group:1', 'Plover 2:group:2']);
});

test('an id names the tag to change, and the name is then its new name', async () => {
  await type(context, "tag create 'Godwit'");
  const [item] = await tag.find(context, 'Godwit');
  const completedRun = await run({ rows: `ID,name\n#${tag.id(item!)},Godwit east` });
  expect(await tags('godwit')).toEqual(['Godwit east:group:']);
  await undo(context, completedRun);
  expect(await tags('godwit')).toEqual(['Godwit:group:']);
  expect(await failure({ rows: 'id,name\n#987654,Godwit' })).toMatchObject({
    userMessage: {
      values: { problems: { values: { line: 2, column: 'id', reason: { key: 'running:lookup.none' } } } },
    },
  });
});

describe('rows with problems', () => {
  const rows = [
    'name,type,priority,devices,error',
    'Dunlin 1,well,1,40,',
    'Dunlin 2,pump,x,,',
    ',well,2,,',
    'dunlin 1,site,3,,old',
    'Dunlin 3,well,3,,,,',
    'Dunlin 4,well,4,,',
  ].join('\n');

  test('are all reported with row, column, and reason, and nothing is imported', async () => {
    const error = await failure({ rows });
    expect(error).toMatchObject({ userMessage: { key: 'running:import.rows', values: { count: 4 } }, param: 'rows' });
    const text = JSON.stringify(error);
    for (const part of [
      '"line":3,"column":"type","reason":{"key":"tag:validation.type"',
      '"line":3,"column":"priority","reason":{"key":"core:validation.numeric"',
      '"line":4,"column":"name","reason":{"key":"core:validation.required"',
      '"line":5,"reason":{"key":"running:import.repeatedRow","values":{"line":2}',
      '"line":6,"reason":{"key":"running:import.tooManyCells"',
    ])
      expect(text).toContain(part);
    expect(await tags('dunlin')).toEqual([]);
  });

  test('are saved as a table to fix, which imports once it is fixed', async () => {
    saved.length = 0;
    expect(await plan({ rows, save: true })).toMatchObject({
      summary: { key: 'running:import.saves' },
      harmless: true,
    });
    const completedRun = await run({ rows, save: true });
    expect(completedRun.inverse).toBeUndefined();
    expect(completedRun.outcome.message).toMatchObject({ values: { count: 4, name: 'tags-to-fix.csv' } });
    expect(await tags('dunlin')).toEqual([]);
    const [table] = saved;
    expect(table?.text.split('\r\n').slice(0, 3)).toEqual([
      'name,type,priority,devices,error',
      'Dunlin 2,pump,x,,type: tag:validation.type priority: core:validation.numeric',
      ',well,2,,name: core:validation.required',
    ]);
    const fixed = table!.text
      .replace('Dunlin 2,pump,x', 'Dunlin 2,well,2')
      .replace('\r\n,well', '\r\nDunlin 5,well')
      .replace('dunlin 1', 'dunlin 6');
    const fixedRun = await run({ rows: fixed });
    expect(await tags('dunlin')).toHaveLength(4);
    await undo(context, fixedRun);
  });

  test.each([
    ['name,type\nKnot, red,well', 'name,type,error\r\nKnot,red,running:import.tooManyCells,well\r\n'],
    [
      'name,error,type,priority\nKnot, red,,well,2',
      'name,error,type,priority\r\nKnot,running:import.tooManyCells,red,,well,2\r\n',
    ],
    ['name,error,type\nKnot,old,pump', 'name,error,type\r\nKnot,type: tag:validation.type,pump\r\n'],
  ])('keep every cell in the table to fix (%#)', async (table, toFix) => {
    saved.length = 0;
    await run({ rows: table, save: true });
    expect(saved[0]?.text).toBe(toFix);
  });

  test('are skipped on request, with a result for each, and can be saved at the same time', async () => {
    saved.length = 0;
    const completedRun = await run({ rows, skip: true, save: true });
    expect(await tags('dunlin')).toEqual(['Dunlin 1:well:1', 'Dunlin 4:well:4']);
    expect(failedResults(completedRun.outcome).map(({ id }) => id)).toEqual(['3', '3', '4', '5', '6']);
    expect(saved[0]?.text.split('\r\n')).toHaveLength(6);
    await undo(context, completedRun);
    expect(await tags('dunlin')).toEqual([]);
  });

  test('do not hide what was imported if they cannot be saved', async () => {
    const files = { save: async () => Promise.reject(new CommandError(message('common:files.exists', { name: 'x' }))) };
    const withoutDisk = { ...context, host: { ...context.host, files: files as unknown as FilesHost } };
    const invocation = { id: 'tag.import', args: { rows, skip: true, save: true } };
    const completedRun = await invoke(withoutDisk, invocation);
    expect(completedRun.outcome.message).toMatchObject({
      key: 'running:import.doneNotSaved',
      values: { reason: { key: 'common:files.exists' } },
    });
    expect(await tags('dunlin')).toHaveLength(2);
    await undo(context, completedRun);
    expect(await tags('dunlin')).toEqual([]);
  });
});

test.each([
  [{ rows: 'nmae,type\na,b' }, 'running:import.unknownColumnNear', 'map'],
  [{ rows: 'name,Farbe\na,b' }, 'running:import.unknownColumn', 'map'],
  [{ rows: 'name,Names\na,b' }, 'running:import.repeatedColumn', 'map'],
  [{ rows: 'name,type\na,b', map: { Nom: 'name' } }, 'running:import.noSuchColumn', 'map'],
  [{ rows: 'name,type\na,b', map: { type: 'kind' } }, 'running:import.unknownColumn', 'map'],
  [{ rows: 'well,5\na,b' }, 'running:import.unknownColumn', 'map'],
  [{ rows: 'error,devices\n1,2' }, 'running:import.noColumn', 'rows'],
  [{ rows: 'name,type' }, 'running:import.emptyTable', 'rows'],
  [{ file: toFile(`name\n${'a\n'.repeat(100_001)}`) }, 'running:import.tooManyRows', 'file'],
  [{}, 'running:import.noRows', 'rows'],
])('rejects a table as a whole (%#)', async (args, key, param) => {
  expect(await failure(args)).toMatchObject({ userMessage: { key }, param });
});

test('the columns can be chosen or left out, and those that only show something are left out', async () => {
  const rows = 'Nom,Farbe,devices,Priority (low is first)\nRuff,rot,12,5';
  expect(await failure({ rows })).toMatchObject({ userMessage: { key: 'running:import.unknownColumn' } });
  const map = { nom: 'name', Farbe: '' };
  expect(await notes({ rows, map })).toContain('running:import.ignores ["devices"]');
  await undo(context, await run({ rows, map }));
});

test.each([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
])('names the separator of a row that is too long (%j)', async (separator, name) => {
  const rows = `name${separator}priority\nKnot${separator}red${separator}3`;
  expect(await failure({ rows })).toMatchObject({
    userMessage: {
      values: {
        problems: { values: { reason: { values: { separator: { key: `running:import.separators.${name}` } } } } },
      },
    },
  });
});

test('reads a file with the separator and the encoding of an older spreadsheet', async () => {
  const bytes = Uint8Array.from('name;priority\r\nCaf\xe9 \x80;3\r\n', (char) => char.charCodeAt(0));
  const file = fileValue({ name: 'tags.csv', mediaType: 'text/csv', bytes });
  const completedRun = await run({ file });
  expect(await tags('Café')).toEqual(['Café €:group:3']);
  // The history has no content of files.
  expect(completedRun.invocation.args).toEqual({ file: '@tags.csv' });
  await undo(context, completedRun);
  const empty = fileValue({ name: 'empty.csv', mediaType: 'text/csv', bytes: new Uint8Array() });
  expect(await failure({ file: empty })).toMatchObject({
    userMessage: { key: 'running:import.emptyFile' },
    param: 'file',
  });
});

test('what is exported can be imported again without changing anything', async () => {
  await type(context, "tag create '=Knot, \"1\"' --type well --priority=-3 --location '52.1, 6.5'");
  let text = '';
  const output = {
    stream: async (rows: Parameters<typeof csvParts>[0]) => {
      for await (const part of csvParts(rows, { translate: ({ key }) => key })) text += part;
    },
  };
  await type({ ...context, host: { ...context.host, output: output as never } }, 'tags Knot --csv');
  expect(text).toContain('"\'=Knot, ""1"""');
  expect(await plan({ rows: text })).toMatchObject({ count: 0, changes: [] });
  await run({ rows: text.replace('-3', '4') });
  expect(await tags('Knot')).toEqual(['=Knot, "1":well:4']);
});

test('undo asks first if a tag has changed since, and deletes nothing that it did not create', async () => {
  await type(context, "tag create 'Sanderling'");
  const completedRun = await run({ rows: 'name,priority\nSanderling,4' });
  await type(context, 'tag edit Sanderling --priority 9');
  const prepared = await prepareUndo(
    { entry: { run: completedRun, undone: false }, skippedLater: false },
    registry,
    context,
  );
  expect(prepared).toMatchObject({ confirm: true, plan: { notes: [{ key: 'running:undo.conflict' }] } });
});

test('needs the permission of the commands that it runs', async () => {
  const viewer = await contextAs(server, 'viewer');
  await expect(invoke(viewer, { id: 'tag.import', args: { rows: 'name\nStint' } })).rejects.toMatchObject({
    reason: { code: 'ability' },
  });
});

test('imports 10,000 rows with a few lookups, and stops between two rows when canceled', async () => {
  const rows = ['name', ...Array.from({ length: 10_000 }, (_, index) => `Oystercatcher ${index}`)].join('\n');
  const file = toFile(rows);
  const controller = new AbortController();
  const progress = ({ done, total }: { done: number; total: number }): void => {
    if (total === 10_000 && done === 3) controller.abort();
  };
  const command = registry.command('tag.import')!;
  let calls = 0;
  const api = ((service: never) => {
    calls++;
    return context.api(service);
  }) as Context['api'];
  // As in the console, where reference data is cached.
  const cache = new Map<string, Promise<unknown>>();
  const loadCached = (<T>(key: string, load: (shared: Context) => Promise<T>) => {
    if (!cache.has(key)) cache.set(key, load(context));
    return cache.get(key) as Promise<T>;
  }) as Context['loadCached'];
  const prepared = await prepare(command, { file }, { ...context, api, loadCached });
  expect(prepared.plan).toMatchObject({ count: 10_000 });
  expect(calls).toBeLessThan(5);
  const completedRun = await runPrepared(prepared, { ...context, signal: controller.signal, progress });
  expect(completedRun.outcome.results?.filter(({ skipped }) => skipped)).toHaveLength(9997);
  expect(await tags('Oystercatcher')).toHaveLength(3);
  await undo(context, completedRun);
  expect(await tags('Oystercatcher')).toEqual([]);
});
