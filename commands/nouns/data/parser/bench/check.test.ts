import { afterAll, beforeAll, expect, test } from 'vitest';

import { EXIT } from '#commands/cli/io.ts';
import { startTerminals, type Terminals } from '#commands/cli/testkit/server.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { Value_Numeric_Distance_DistanceUnit as DistanceUnit, Value_Type } from '#proto/gen/hiber/value_pb.ts';

const LEVEL = `meta:
  id: level
  endian: be
seq:
  - id: frame
    type: u1
  - id: level
    type: u2
`;
const WIDER = LEVEL.replace('u2', 'u4');
const SWAPPED = LEVEL.replace('endian: be', 'endian: le');

let terminals: Terminals;
let number: string;

beforeAll(async () => {
  terminals = await startTerminals();
  const { client } = terminals.server.as('administrator');
  const created = await client(ModemMessageBodyParserService).upload({
    name: 'level-v2',
    contentKsy: LEVEL,
    dataFields: [
      {
        field: 'level',
        displayName: 'Level',
        type: Value_Type.NUMERIC,
        details: { case: 'numeric', value: { unit: { unit: { case: 'distance', value: DistanceUnit.MILLIMETER } } } },
      },
    ],
  });
  const { modems } = await client(ModemService).list({ pagination: { size: 1 } });
  number = modems[0]!.number;
  await client(ModemMessageBodyParserService).assign({
    assignParsers: { identifiers: [created.identifier] },
    toModems: { modems: { include: [number] } },
  });
  for (const hex of ['010102', '010303', '01020304AA']) {
    await client(TestingService).pushModemMessages({
      messages: [{ modemNumber: number, content: Buffer.from(hex, 'hex') }],
    });
  }
});
afterAll(() => terminals.close());

const run = (argv: readonly string[], files: Record<string, string> = {}) =>
  terminals.run('administrator', argv, { files });

test('prints the result as a tree', async () => {
  const { code, out } = await run(['parser', 'test', 'level-v2', '01', '0102']);
  expect(code).toBe(EXIT.ok);
  expect(out.replaceAll(/ +/g, ' ')).toContain('level 258 mm Level');
});

test("shows values and their changes in the user's unit, beside the declared one", async () => {
  await run(['me', 'set-units', '--distance', 'IMPERIAL']);
  try {
    const tested = await run(['parser', 'test', 'level-v2', '01', '0102']);
    expect(tested.out.replaceAll(/ +/g, ' ')).toContain('level 10.15748031 in (258 mm) Level');
    const checked = await run(['parser', 'check', '@level-v2.ksy'], { 'level-v2.ksy': SWAPPED });
    expect(checked.out).toMatch(/│ level +10\.15748031 in \(258 mm\) +20\.1968503\d* in \(513 mm\)/);
  } finally {
    await run(['me', 'set-units', '--distance', 'AS_SENT']);
  }
});

test('reports the field missing from the bytes', async () => {
  const { code, err } = await run(['parser', 'test', 'level-v2', '0101']);
  expect(code).toBe(EXIT.failed);
  expect(err).toContain('Field level at byte 1: 2 bytes needed, 1 left.');
});

test('rejects bytes that are not hexadecimal', async () => {
  const { code, err } = await run(['parser', 'test', 'level-v2', '01G']);
  expect(code).toBe(EXIT.usage);
  expect(err).toContain('hexadecimal');
});

test('finds no difference between a definition and itself', async () => {
  const { code, err } = await run(['parser', 'check', 'level-v2.ksy'], { 'level-v2.ksy': LEVEL });
  expect([code, err]).toEqual([EXIT.ok, '3 messages: 3 same, 0 changed, 0 now failing, 0 now working.\n']);
});

test('lists the values that a definition changes', async () => {
  const { code, out } = await run(['parser', 'check', '@level-v2.ksy'], { 'level-v2.ksy': SWAPPED });
  expect(code).toBe(EXIT.ok);
  expect(out).toMatch(/Changed .* 010102\s+│ level +258 mm +513 mm/);
});

test('fails if a message no longer parses', async () => {
  const argv = ['parser', 'check', '@new.ksy', '--parser', 'level-v2', '--against', `number:"${number}"`];
  const { code, out, err } = await run(argv, { 'new.ksy': WIDER });
  expect(code).toBe(EXIT.failed);
  expect(out).toMatch(/Now fails .* Field level at byte 1: 4 bytes needed, 2 left\./);
  expect(err).toContain('2 messages would no longer parse.');
});

test('does not claim that messages parsed before if there is no current definition', async () => {
  const argv = ['parser', 'check', '@unknown.ksy', '--against', `number:"${number}"`];
  const { code, out, err } = await run(argv, { 'unknown.ksy': WIDER });
  expect(code).toBe(EXIT.failed);
  expect(out).toMatch(/^Fails .* Field level at byte 1: 4 bytes needed, 2 left\.$/m);
  expect(out).toMatch(/^Parses .* 01020304AA$/m);
  expect(err).toMatch(/\d messages: [1-9]\d* parsed, 2 failed\./);
  expect(err).toContain("The definition can't parse 2 messages.");
  expect(out + err).not.toMatch(/\bno(w| longer)\b/i);
  const { out: json } = await run([...argv, '--json'], { 'unknown.ksy': WIDER });
  expect(JSON.parse(json)).toMatchObject({ counts: { works: expect.any(Number), fails: 2, nowWorks: 0, nowFails: 0 } });
});

test('prints the differences as JSON', async () => {
  const { out } = await run(['parser', 'check', '@level-v2.ksy', '--json'], { 'level-v2.ksy': SWAPPED });
  expect(JSON.parse(out)).toMatchObject({
    counts: { changed: 2, same: 1 },
    differences: [{ device: number, verdict: 'changed' }, {}],
  });
});

test('reports the line of an invalid definition', async () => {
  const { code, err } = await run(['parser', 'check', '@level-v2.ksy'], { 'level-v2.ksy': `${LEVEL}    size: x\n` });
  expect(code).toBe(EXIT.usage);
  expect(err).toContain('Line ');
});

test('checks at most the given number of messages', async () => {
  const { err } = await run(['parser', 'check', '@level-v2.ksy', '--limit', '2'], { 'level-v2.ksy': LEVEL });
  expect(err).toContain('2 messages: 2 same');
});

test('says how many messages it does not print, all of which are in the JSON output', async () => {
  const { client } = terminals.server.as('administrator');
  const { modems } = await client(ModemService).list({ pagination: { size: 2 } });
  const other = modems.find((modem) => modem.number !== number)!.number;
  const { parsers } = await client(ModemMessageBodyParserService).list({ selection: { search: 'level-v2' } });
  await client(ModemMessageBodyParserService).assign({
    assignParsers: { identifiers: parsers.map(({ identifier }) => identifier) },
    toModems: { modems: { include: [other] } },
  });
  const content = Buffer.from('010102', 'hex');
  const messages = Array.from({ length: 53 }, () => ({ modemNumber: other, content }));
  await client(TestingService).pushModemMessages({ messages });
  const argv = ['parser', 'check', '@level-v2.ksy', '--against', `number:"${other}"`];
  const files = { 'level-v2.ksy': SWAPPED };
  const counts = JSON.parse((await run([...argv, '--json'], files)).out) as {
    counts: { changed: number; nowFails: number; nowWorks: number };
    differences: unknown[];
  };
  const { changed, nowFails, nowWorks } = counts.counts;
  expect(changed).toBeGreaterThanOrEqual(53);
  const total = changed + nowFails + nowWorks;
  expect(counts.differences).toHaveLength(total);
  const { out } = await run(argv, files);
  expect(out).toContain(`${total - 50} more messages, not listed`);
});

test('takes a definition from its file to the values of a tagged device', async () => {
  const files = { 'sump.ksy': LEVEL.replace('id: level\n', 'id: sump\n').replaceAll('id: level', 'id: depth') };
  const runSuccessfully = async (...argv: string[]): Promise<string> => {
    const { code, out, err } = await run(argv, files);
    expect([argv.join(' '), code, err]).toEqual([argv.join(' '), EXIT.ok, expect.any(String)]);
    return out + err;
  };
  const comparisonArgs = ['--against', `number:"${number}"`];
  expect(await runSuccessfully('parser', 'check', 'sump.ksy', ...comparisonArgs)).toMatch(
    /(\d+) messages: \1 parsed, 0 failed\./,
  );
  await runSuccessfully('parser', 'upload', 'sump.ksy', '--yes');
  expect(await runSuccessfully('parser', 'test', 'sump', '01', '0102')).toMatch(/depth +258/);
  expect(await runSuccessfully('parser', 'check', 'sump.ksy', ...comparisonArgs)).toMatch(/(\d+) messages: \1 same/);
  await runSuccessfully('field', 'create', 'sump', 'depth', '--unit', 'DISTANCE_METER', '--yes');
  await runSuccessfully('tag', 'create', 'Sumps', '--type', 'site', '--yes');
  await runSuccessfully('tag', 'assign', number, '--tag', 'Sumps', '--yes');
  await runSuccessfully('parser', 'assign-to-tags', 'Sumps', '--parser', 'sump', '--yes');
  await runSuccessfully('device', 'send-test-message', number, '010102', '--yes');
  expect(await runSuccessfully('values', number, '--field', 'depth')).toMatch(/258\s*m/);
});
