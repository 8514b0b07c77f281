import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseArgv } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileValue } from '#commands/model/files.ts';
import { registry } from '#commands/nouns/all.ts';
import { field } from '#commands/nouns/data/field/entity.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { deviceTabs } from '#commands/nouns/fleet/device/tabs.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { tagTabs } from '#commands/nouns/fleet/tag/tabs.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { SimpleModemMessageBodyParser_Endian as Endian } from '#proto/gen/hiber/parser_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { parser } from './entity.ts';
import { loadLinkedIds } from './links.ts';

const LEVEL = `meta:
  id: level_probe
  title: Level probe
  endian: be
seq:
  - id: frame
    type: u1
  - id: raw_level
    type: s4
instances:
  level:
    value: raw_level / 100.0
`;

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const quote = (text: string): string => `'${text}'`;
const names = async (query: string) => (await listAll(parser, query, context)).map(parser.label);
async function findParser(name: string) {
  const [item] = await parser.find(context, name);
  if (!item) throw new Error(`No parser is named ${name}.`);
  return item;
}
const captureError = async (line: string): Promise<unknown> =>
  planLine(context, line).then(
    () => undefined,
    (error: unknown) => (error instanceof CommandError ? error.userMessage : error),
  );

test('uploads a definition under its title, and undo deletes it', async () => {
  const file = fileValue({ name: 'level.ksy', mediaType: 'application/yaml', bytes: Buffer.from(LEVEL) });
  const run = await invoke(context, { id: 'parser.upload', args: { file } });
  const { parser: uploaded, owned } = await findParser('level probe');
  expect(uploaded).toMatchObject({ name: 'Level probe', contentKsy: LEVEL });
  expect(owned).toBe(true);
  await undo(context, run);
  expect(await names('owned:true level_probe')).toEqual([]);
});

test('uploads a definition as text with all of its metadata', async () => {
  await type(
    context,
    `parser upload --definition ${quote(LEVEL)} --name Probe --required-metadata fPort=2 --message-metadata frame
      --device-metadata raw_level,frame --latitude pos.lat --longitude pos.lon --measured-at time`.replace(
      /\n\s+--/g,
      ' --',
    ),
  );
  expect((await findParser('Probe')).parser.metadataFields).toMatchObject({
    messageMetadataFields: ['frame'],
    modemMetadataFields: ['raw_level', 'frame'],
    locationFields: { latitude: 'pos.lat', longitude: 'pos.lon' },
    measuredAtField: { case: 'measuredAtTimeField', value: 'time' },
    requireMessageMetadata: { fPort: { kind: { case: 'numberValue', value: 2 } } },
  });
});

test('reads a definition in a terminal from standard input or a file', async () => {
  const read = (source: string): string => `${source}: ${LEVEL}`;
  for (const verb of ['upload', 'edit']) {
    const options = Object.keys(registry.command(`parser.${verb}`)?.params ?? {});
    expect(options, verb).toContain('definition');
    for (const source of ['-', '@level.ksy']) {
      const words = ['parser', verb, ...(verb === 'edit' ? ['Probe'] : []), '--definition', source];
      expect(parseArgv(words, registry, read).args, verb).toMatchObject({ definition: read(source).trimEnd() });
    }
  }
});

test('a plan names the line of a mistake and the type that was probably meant', async () => {
  const wrong = LEVEL.replace('type: s4', 'type: s5');
  expect(await captureError(`parser upload --definition ${quote(wrong)}`)).toMatchObject({
    key: 'parser:validation.definitionNear',
    values: { text: expect.stringMatching(/^Line 9: /) as string, near: expect.stringContaining('s4') as string },
  });
});

test('requires one definition', async () => {
  await expect(captureError('parser upload --name Nothing')).resolves.toMatchObject({
    key: 'parser:validation.noDefinition',
  });
});

test('filters by kind, owner, field, id, and text', async () => {
  await type(context, 'parser create-simple Valve opening:u1,state:u1');
  expect(await names('kind:SIMPLE')).toEqual(['Valve']);
  expect(await names('kind:UPLOADED probe')).toContain('Probe');
  expect(await names('owned:true raw_level')).toContain('Probe');
  await type(context, 'field create Probe level --unit PERCENT');
  expect(await names('field:level owner:northwind id:#nothing')).toEqual([]);
  expect(await names('field:level')).toContain('Probe');
});

test('edits each field of a parser, and undo restores it', async () => {
  const before = await findParser('Probe');
  const run = await type(
    context,
    'parser edit Probe --name Probe2 --required-metadata fPort=3 --message-metadata raw_level --device-metadata frame --latitude a.lat --longitude a.lon --measured-at sent',
  );
  expect((await findParser('Probe2')).parser.metadataFields).toMatchObject({
    messageMetadataFields: ['raw_level'],
    modemMetadataFields: ['frame'],
    locationFields: { latitude: 'a.lat', longitude: 'a.lon' },
    measuredAtField: { value: 'sent' },
    requireMessageMetadata: { fPort: { kind: { value: 3 } } },
  });
  await undo(context, run);
  const after = await findParser('Probe');
  expect(after.parser.metadataFields?.modemMetadataFields.toSorted()).toEqual(['frame', 'raw_level']);
  expect({ ...after.parser.metadataFields, modemMetadataFields: [] }).toEqual({
    ...before.parser.metadataFields,
    modemMetadataFields: [],
  });
});

test('the plan for a new definition has the lines that differ', async () => {
  const next = LEVEL.replace('type: s4', 'type: s2').replace('title: Level probe', 'title: Probe # €');
  const plan = await planLine(context, `parser edit Probe --definition ${quote(next)}`);
  expect(plan?.changes).toMatchObject([
    {
      removed: ['title: Level probe', 'type: s4'],
      added: ['title: Probe # €', 'type: s2'],
      lines: { shown: [{ part: 'meta' }, { before: 'type: s4', after: 'type: s2' }], moreCount: 0 },
    },
  ]);
  const long = `${LEVEL}\n${Array.from({ length: 9 }, (_, index) => `# note ${index}`).join('\n')}`;
  const longPlan = await planLine(context, `parser edit Probe --definition ${quote(long)}`);
  expect(longPlan?.changes[0]?.added?.slice(5)).toMatchObject(['# note 5', { values: { count: 3 } }]);
});

test('the plan for a new definition names the fields that results gain and lose', async () => {
  const next = LEVEL.replace('id: frame', 'id: kind').replace('  level:\n', '  height:\n');
  const plan = await planLine(context, `parser edit Probe --definition ${quote(next)}`);
  expect(plan?.notes?.map(({ key, values }) => [key, values?.['fields']])).toEqual([
    ['parser:plan.fieldsAdded', 'kind, height'],
    ['parser:plan.fieldsRemoved', 'frame, level'],
    ['parser:plan.declaredLost', 'level'],
  ]);
  const run = await type(context, `parser edit Probe --definition ${quote(next)}`);
  expect((await findParser('Probe')).parser.contentKsy).toBe(next);
  await undo(context, run);
  expect((await findParser('Probe')).parser.contentKsy).toBe(LEVEL);
});

test('replaces the fields of a simple parser, and undo restores them', async () => {
  const run = await type(context, "parser set-fields Valve 'opening:u2le,name:str(4),rest:bytes,start:=cafe'");
  expect((await findParser('Valve')).parser.simpleParser?.fields.map(({ name }) => name)).toEqual([
    'opening',
    'name',
    'rest',
    'start',
  ]);
  await undo(context, run);
  expect((await findParser('Valve')).parser.simpleParser?.fields.map(({ name }) => name)).toEqual(['opening', 'state']);
});

test('sets the defaults of a simple parser under its new name, and undo restores them', async () => {
  await type(context, 'parser rename Valve Gate');
  const loadSimple = async () => (await findParser('Gate')).parser.simpleParser;
  const before = await loadSimple();
  const run = await type(
    context,
    "parser set-fields Gate opening:u2,at:position/,position/x:s4 --endian LITTLE_ENDIAN --encoding ASCII --documentation 'In the pump house'",
  );
  expect(await loadSimple()).toMatchObject({
    defaultEndian: Endian.LITTLE_ENDIAN,
    defaultTextEncoding: 'ASCII',
    documentation: 'In the pump house',
    customTypes: [{ name: 'position', fields: [{ name: 'x' }] }],
  });
  await undo(context, run);
  expect(await loadSimple()).toEqual({ ...before, name: 'Gate' });
  await type(context, 'parser rename Gate Valve');
});

test('rejects fields that the server would reject, and names the remedy', async () => {
  const rejection = (fields: string) => captureError(`parser set-fields Valve '${fields}'`);
  expect(await rejection('a:u2,A:u2')).toMatchObject({ key: 'parser:validation.simple.duplicate' });
  expect(await rejection('a:str(b),b:u1')).toMatchObject({ key: 'parser:validation.simple.sizeField' });
  expect(await rejection('a:position/')).toMatchObject({ key: 'parser:validation.simple.customType' });
});

test('renames parsers and duplicates them with their fields', async () => {
  await undo(context, await type(context, 'parser rename Probe Sonde'));
  const run = await type(context, 'parser duplicate Probe');
  const copy = await findParser('Probe (copy)');
  expect(copy.parser.dataFields.map((item) => item.field)).toEqual(['level']);
  expect(copy.parser.metadataFields).toEqual((await findParser('Probe')).parser.metadataFields);
  await undo(context, run);
  expect(await names('copy')).toEqual([]);
});

test("assigns a parser to the queried devices that don't have it, and undo restores them", async () => {
  const { parser: probe } = await findParser('Probe');
  const linkedNumbers = () => loadLinkedIds(context, probe.identifier, 'device');
  const plan = await planLine(context, "parser assign 'type:GATEWAY' --parser Probe");
  expect(plan?.count).toBeGreaterThan(1);
  const first = await type(context, "parser assign 'type:GATEWAY' --parser Probe");
  expect((await linkedNumbers()).size).toBe(plan?.count);
  expect((await planLine(context, "parser assign 'type:GATEWAY' --parser Probe"))?.count).toBe(0);
  await undo(context, await type(context, "parser unassign 'type:GATEWAY' --parser Probe"));
  expect((await linkedNumbers()).size).toBe(plan?.count);
  await undo(context, first);
  expect((await linkedNumbers()).size).toBe(0);
});

test('assigns a parser to tags and counts them in the plan to delete it', async () => {
  const { parser: probe } = await findParser('Probe');
  await type(context, "tag create 'Parsed field' --type site");
  const run = await type(context, "parser assign-to-tags 'Parsed field' --parser Probe");
  expect((await loadLinkedIds(context, probe.identifier, 'tag')).size).toBe(1);
  const plan = await planLine(context, 'parser delete Probe');
  expect(plan?.notes?.map(({ key, values }) => [key, values?.['count']])).toEqual([
    ['parser:plan.deleteTags', 1],
    ['parser:plan.deleteFields', 1],
  ]);
  await undo(context, run);
  expect((await loadLinkedIds(context, probe.identifier, 'tag')).size).toBe(0);
});

test('makes parsers available to sub-organizations, and undo restores the availability', async () => {
  await type(context, 'organization create probe-users --contact-name A --contact-email a@b.example');
  const availability = async () => {
    const { includeAll, include, exclude } =
      (await findParser('Probe')).parser.availableToChildOrganizations?.childOrganizations ?? {};
    return { includeAll, include, exclude };
  };
  const before = await availability();
  const run = await type(context, 'parser make-available Probe probe-users');
  expect(await availability()).toEqual({ includeAll: false, include: ['probe-users'], exclude: [] });
  await undo(context, await type(context, 'parser make-unavailable Probe probe-users'));
  expect(await availability()).toEqual({ includeAll: false, include: ['probe-users'], exclude: [] });
  const all = await type(context, 'parser set-availability Probe --all --exclude probe-users');
  expect(await availability()).toEqual({ includeAll: true, include: ['probe-users'], exclude: ['probe-users'] });
  await undo(context, all);
  await undo(context, run);
  expect(await availability()).toEqual(before);
});

test('parses the messages of assigned devices again', async () => {
  await type(context, 'device create Gauge');
  await type(context, 'device send-test-message Gauge 0100000bb8');
  await type(context, 'device send-test-message Gauge ff');
  await type(context, 'parser upload --definition '.concat(quote(LEVEL), ' --name Gauge'));
  await type(context, 'parser assign Gauge --parser Gauge');
  const line = 'parser retry Gauge -1h..now --suppress-events';
  expect(await planLine(context, line)).toMatchObject({ count: 2, reversible: false });
  const { outcome } = await type(context, line);
  expect(outcome.data).toEqual({ parsed: 1, failed: 1 });
  expect((await planLine(context, `${line} --devices 'lifecycle:DECOMMISSIONED'`))?.count).toBe(0);
});

test('lists the devices, tags, fields, and definition of a parser', async () => {
  const item = await findParser('Probe');
  const tab = (id: string) => parser.detailTabs!.find((candidate) => candidate.id === id)!;
  await type(context, "parser assign 'type:GATEWAY' --parser Probe");
  expect((await tab('devices').load(context, item)).length).toBeGreaterThan(1);
  expect(await tab('tags').load(context, item)).toEqual([]);
  const lines = (await tab('definition').load(context, item)) as readonly { number: number; text: string }[];
  expect(lines[2]).toEqual({ number: 3, text: '  title: Level probe' });
  expect((await listAll(field, `parser:"#${item.parser.identifier}"`, context)).map(({ field: path }) => path)).toEqual(
    ['level'],
  );
});

test('lists the parsers of a device and of a tag, with their source', async () => {
  await type(context, 'device create Sump');
  await type(context, "tag create 'Sump tag' --type site");
  await type(context, "tag assign Sump --tag 'Sump tag'");
  await type(context, 'parser assign Sump --parser Probe');
  await type(context, "parser assign-to-tags 'Sump tag' --parser Valve");
  const [sump] = await device.find(context, 'Sump');
  const [sumpTag] = await tag.find(context, 'Sump tag');
  const rowsOf = async <Item>(tabs: readonly DetailTab<Item>[], item: Item) => {
    const tab = tabs.find(({ id }) => id === 'parsers')!;
    const rows = await tab.load(context, item);
    return rows.map((row) => tab.columns.slice(0, -1).map(({ value }) => value(row as never)));
  };
  expect(await rowsOf(deviceTabs, sump!)).toEqual([
    ['Probe', { key: 'device:parsers.own' }],
    ['Valve', { key: 'common:parsers.byTag', values: { name: 'Sump tag', type: { key: 'tag:type.site' } } }],
  ]);
  expect(await rowsOf(tagTabs, sumpTag!)).toEqual([['Valve']]);
});
