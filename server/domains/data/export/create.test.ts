import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Export_Format_Type as Type, ExportService } from '#proto/gen/hiber/export_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { findFirstNumber } from '#server/testkit/devices.ts';
import { csv, exportCalls, json, messages, rejection } from '#server/testkit/exports.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
});
afterAll(() => t.close());

const { exports, request } = exportCalls(
  () => t,
  () => [number],
);

describe('a request', () => {
  test('can name devices in any case and with any spaces', async () => {
    const digits = number.replace(' ', '').toLowerCase();
    const configuration = messages([digits, number, ` ${digits}`]);
    expect((await request({ configuration })).configuration).toMatchObject({ type: { value: { modems: [number] } } });
    const available = await exports().availableFields({ configuration: configuration.type });
    expect(available.jsonPaths).toContain('$.modemNumber');
  });

  test.each([
    ['without a name', { name: ' ' }, 'Enter a name for the export.'],
    ['with a long name', { name: 'x'.repeat(201) }, 'The name of an export can have at most 200 characters, not 201.'],
    [
      'without content',
      { configuration: {} },
      'Specify what to export: messages of devices, or values of process points.',
    ],
    ['without devices', { configuration: messages([]) }, 'List the devices whose messages to export.'],
    ['of an unknown device', { configuration: messages(['AAAA AAAA']) }, 'northwind has no device AAAA AAAA.'],
    [
      'of unknown process points',
      { configuration: { type: { case: 'processPointValues', value: { processPointIdentifiers: ['x'] } } } },
      'northwind has no process point "x".',
    ],
    [
      'with the wrong settings',
      { format: { ...json(), type: Type.CSV } },
      'The format is CSV, but its settings are for the other format.',
    ],
    [
      'with a bad path',
      { format: csv({ columns: [{ name: 'x', jsonPath: 'a b' }] }) },
      'The JSON path "a b" of the column "x" isn\'t supported. Use a path like $.sentAt.textual or $.tags[0].id.',
    ],
    [
      'with a column without a name',
      { format: csv({ columns: [{ jsonPath: '$.a' }] }) },
      'The column of $.a has no name.',
    ],
    [
      'with a letter as separator',
      { format: csv({ separator: 'x' }) },
      'The separator "x" isn\'t supported. Use a single character that isn\'t a letter, a digit, or a space.',
    ],
    [
      'with an odd newline',
      { format: csv({ newline: 'n' }) },
      'The newline "n" isn\'t supported. Use \\n, \\r\\n, or \\r.',
    ],
    [
      'with equal characters',
      { format: csv({ separator: ';', quote: ';' }) },
      'The separator ";" also quotes or escapes. Use different characters.',
    ],
  ])('%s is rejected', async (_, values, sentence) => {
    expect(await rejection(request(values))).toBe(sentence);
  });

  test('with a bad expiry or range is rejected', async () => {
    const range = { start: { textual: '2026-02-01' }, end: { textual: '2026-01-01' } };
    expect(await rejection(request({ configuration: messages([number], range) }))).toBe(
      '"configuration.time_range" ends before it starts.',
    );
    const configuration = { ...messages([number]), expiresIn: { textual: '5m' } };
    expect(await rejection(request({ configuration }))).toBe('An export can be kept for 1h to 366d, not 5m.');
  });

  test('needs the permission for its content', async () => {
    const include = [OrganizationPermission.EXPORT, OrganizationPermission.MODEMS];
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({ name: 'x', organizationPermissions: { include } });
    const limited = t.with(token).client(ExportService);
    const configuration = messages([number]);
    expect(await rejection(limited.create({ name: 'x', configuration }))).toContain('MODEM_MESSAGES');
    expect(await rejection(limited.availableFields({ configuration: configuration.type }))).toContain('MODEM_MESSAGES');
    const values = { case: 'processPointValues' as const, value: { processPointIdentifiers: [] } };
    expect(await rejection(limited.create({ name: 'x', configuration: { type: values } }))).toContain(
      'PROCESS_POINTS_VALUES',
    );
    expect((await limited.availableFields({ configuration: values })).csvColumns.length).toBeGreaterThan(4);
  });

  test('is rejected while too many are in progress', async () => {
    const created: string[] = [];
    let sentence = '';
    for (let index = 0; index < 21; index += 1) {
      try {
        created.push((await request()).identifier);
      } catch (error) {
        sentence = (error as { rawMessage: string }).rawMessage;
      }
    }
    expect(sentence).toBe('northwind has 20 exports in progress. Wait until one is ready, or delete one.');
    for (const identifier of created) await exports().delete({ identifier });
  });
});
