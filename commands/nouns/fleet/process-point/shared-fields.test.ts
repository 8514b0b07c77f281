import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type } from '#commands/testkit/server.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
let context: Context;
/** Devices that have the parser themselves, through a tag, and not at all. */
let assigned: string;
let tagged: string;
let other: string;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  await context.api(ModemMessageBodyParserService).upload({
    name: 'Tank',
    contentKsy: 'meta: { id: tank }\nseq: [{ id: reserve, type: u1 }, { id: cell, type: u1 }]',
    dataFields: [{ field: '$.reserve' }, { field: 'cell', operational: true }],
  });
  [assigned, tagged, other] = (await listAll(device, 'sort:name', context)).map(device.id) as [string, string, string];
  await type(context, 'process-point create Curlew');
  await type(context, 'tag create Tanks');
  await type(context, `tag assign '${tagged}' --tag Tanks`);
  await type(context, `parser assign '${assigned}' --parser Tank`);
  await type(context, 'parser assign-to-tags Tanks --parser Tank');
});
afterAll(() => server.close());

const notes = async (numbers: readonly string[], fields: string) =>
  (await planLine(context, `process-point assign-device Curlew '${numbers.join(',')}' --fields ${fields}`))?.notes;
const note = (key: string, values: object) => ({ key: `process-point:plan.${key}`, values });

test('accepts fields that a parser of the device or of its tag produces, in any spelling', async () => {
  expect(await notes([assigned, tagged], 'reserve')).toEqual([]);
});

test('warns of fields that no parser produces, and names the one that is probably meant', async () => {
  expect(await notes([assigned], 'reserv,nonsense')).toMatchObject([
    note('undeclaredNear', { field: 'reserv', near: 'reserve', count: 1 }),
    note('undeclared', { field: 'nonsense', count: 1 }),
  ]);
});

test('counts the devices that a warning concerns', async () => {
  expect(await notes([assigned, other], 'reserve')).toMatchObject([note('undeclared', { field: 'reserve', count: 1 })]);
  expect(await notes([assigned, tagged, other], 'nonsense')).toMatchObject([
    note('undeclared', { field: 'nonsense', count: 3 }),
  ]);
});

test('warns of a field about the device itself, which no process point gets', async () => {
  expect(await notes([assigned, tagged], 'cell')).toMatchObject([note('operational', { field: 'cell', count: 2 })]);
});

test('warns in a table per row', async () => {
  const rows = ['device,point,from,until,fields'];
  for (const number of [assigned, tagged, other]) rows.push(`${number},Curlew,2026-10-05,,reserve`);
  const parsed = `process-point import-assignments '${rows.join('\n')}'`;
  expect((await planLine(context, parsed))?.notes).toMatchObject([
    {
      key: 'running:import.warns',
      values: {
        count: 1,
        problems: { values: { line: 4, column: 'fields', reason: note('undeclared', { field: 'reserve' }) } },
      },
    },
  ]);
});

test('gives no warning to those who may not see the fields of devices', async () => {
  const abilities = new Set([...context.actor.abilities].filter((ability) => ability !== 'VIEW_MESSAGES'));
  const blind: Context = { ...context, actor: { ...context.actor, abilities } };
  const line = `process-point assign-device Curlew '${assigned}' --fields nonsense`;
  expect((await planLine(blind, line))?.notes).toEqual([]);
});
