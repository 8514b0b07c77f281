import { afterAll, beforeAll, expect, test } from 'vitest';

import { csvParts } from '#commands/kit/csv-table.ts';
import type { Context } from '#commands/model/context.ts';
import type { RowStream } from '#commands/model/host.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { webhook } from './entity.ts';

let server: TestServer;
let context: Context;
let text: string;
beforeAll(async () => {
  server = await startTestServer();
  const caller = await contextAs(server, 'administrator');
  const stream = async (rows: RowStream): Promise<undefined> => {
    for await (const part of csvParts(rows, { translate: ({ key }) => key })) text += part;
  };
  context = { ...caller, host: { ...caller.host, output: { stream } as never } };
});
afterAll(() => server.close());

test('a CSV of webhooks with all columns has neither secrets nor the values of headers', async () => {
  text = '';
  const [secret, header] = ['Sesame-secret-1', 'Bearer-header-2'];
  await type(context, `webhook create https://example.com/hook --secret ${secret} --headers Authorization=${header}`);
  const columns = webhook.columns.map(({ id }) => id).join(',');
  await type(context, `webhooks --csv --columns ${columns}`);
  const [head, ...rows] = text.trimEnd().split('\r\n');
  expect(head).toBe(columns);
  expect(rows.some((row) => row.includes('https://example.com/hook'))).toBe(true);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(header);
});
