import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { HostCapabilities, RowStream } from '#commands/model/host.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { contextAs, invoke, type } from '#commands/testkit/server.ts';
import { parseCsv } from '#commands/text/csv-reader.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { csvParts } from './csv-table.ts';
import { streamList } from './list-stream.ts';

async function read(rows: Pick<RowStream, 'columns' | 'batches' | 'formulas'>): Promise<string> {
  let text = '';
  for await (const part of csvParts(rows, { translate: ({ key }) => key })) text += part;
  return text;
}

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  await type(context, "tag create 'Curlew, north' --type well --priority 7");
  await type(context, "tag create '=Curlew south' --type site");
});
afterAll(() => server.close());

/** Prints a line in the CLI. */
async function print(line: string): Promise<string> {
  let text = '';
  const output = {
    stream: async (rows: RowStream) => {
      text = await read(rows);
    },
  } as unknown as HostCapabilities['output'];
  await type({ ...context, host: { ...context.host, output } }, line);
  return text;
}

/** Downloads the table of the console. */
async function download(filter: string, columns: readonly string[], args = {}, target?: { ids: readonly string[] }) {
  const saved: { name: string; text: string }[] = [];
  const host: Partial<HostCapabilities> = {
    table: {
      entityName: () => 'tag',
      filterText: () => filter,
      columns: () => columns,
    } as unknown as HostCapabilities['table'],
    csv: { save: async (name, rows) => void saved.push({ name, text: await read(rows) }) },
  };
  const focus = target ? { focus: { entity: 'tag', target, count: target.ids.length } } : {};
  const { outcome } = await invoke(
    { ...context, host: { ...context.host, ...host }, ...focus },
    {
      id: 'view.download',
      args,
    },
  );
  return { ...saved[0]!, message: outcome.message };
}

test('is the same file in the console and in the CLI, with raw values that can be read again', async () => {
  const { text, name, message } = await download('Curlew sort:-name', ['name', 'type', 'priority']);
  expect(text).toBe('name,type,priority\r\n"Curlew, north",well,7\r\n\'=Curlew south,site,\r\n');
  expect(name).toMatch(/^tags-\d{4}-\d\d-\d\d\.csv$/);
  expect(message).toMatchObject({ key: 'view:done.downloaded', values: { count: 2 } });
  expect(await print("tags 'Curlew sort:-name' --csv --columns name,type,priority")).toBe(text);
  expect(await print('tags Curlew --sort=-name --csv --columns name,type,priority --limit 1')).toBe(
    text.split('\r\n').slice(0, 2).join('\r\n') + '\r\n',
  );
  expect((await download('Curlew sort:-name', ['name'], { formulas: true })).text).toContain('\r\n=Curlew south\r\n');
});

test('has every tag with the default columns if there is no limit', async () => {
  const records = parseCsv(await print('tags --csv'));
  const { total } = await tag.list(context, { selection: tag.emptySelection(), sort: [] }, { page: 0, size: 1 });
  expect(records[0]!.cells).toEqual(tag.columns.filter(({ optional, when }) => !optional && !when).map(({ id }) => id));
  expect(records.length - 1).toBe(total);
});

test('has only the selected rows while there is a selection, unless all rows are wanted', async () => {
  const [south] = await tag.find(context, '=Curlew south');
  const target = { ids: [tag.id(south!)] };
  expect((await download('Curlew', ['name'], {}, target)).text).toBe("name\r\n'=Curlew south\r\n");
  expect(parseCsv((await download('Curlew', ['name'], { all: true }, target)).text)).toHaveLength(3);
});

/** An entity with 2,500 gadgets, of which one moves from the first page to the second. */
const many: AnyEntity = {
  ...(gadget as AnyEntity),
  list: async (_context, _filter, { page, size }) => {
    const start = page * size;
    const items = Array.from({ length: Math.min(size, 2500 - start) }, (_, index) => ({ id: `${start + index}` }));
    return { items: page === 1 ? [{ id: '999' }, ...items.slice(1)] : items, total: 2500 };
  },
  id: (item) => (item as { id: string }).id,
};
const columns = [{ id: 'id', kind: 'text', width: 1, value: (item: unknown) => (item as { id: string }).id }] as const;

test('loads page by page with progress, and repeats no row that moved to the next page', async () => {
  const progress: number[] = [];
  const rows = streamList(
    { entity: many, target: { query: '' }, columns },
    testContext({ progress: ({ done }) => void progress.push(done) }),
  );
  const ids = parseCsv(await read(rows)).map(({ cells }) => cells[0]);
  expect(ids).toHaveLength(2500);
  expect(new Set(ids).size).toBe(2500);
  expect(progress).toEqual([1000, 1999, 2499]);
  expect(rows.counts()).toEqual({ rows: 2499, total: 2500, isCapped: false });
});

test('stops between two pages when it is canceled', async () => {
  const controller = new AbortController();
  const pages: unknown[] = [];
  const { batches } = streamList(
    { entity: many, target: { query: '' }, columns },
    testContext({ signal: controller.signal }),
  );
  await expect(
    (async () => {
      for await (const page of batches) {
        pages.push(page);
        controller.abort();
      }
    })(),
  ).rejects.toThrow(/abort/i);
  expect(pages).toHaveLength(1);
});
