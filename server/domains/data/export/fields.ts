/** The JSON paths of exported rows, and the columns that we suggest for a CSV file. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { printJsonPath, stepsOf } from '#commands/text/field-path.ts';
import type { Export_Format_Csv_ColumnSchema } from '#proto/gen/hiber/export_pb.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import { ProcessPointSelectionSchema } from '#proto/gen/hiber/process_point_pb.ts';
import { Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { App } from '#server/app/app.ts';
import { listDeviceFields, listPointFields } from '#server/domains/data/field/owners.ts';
import type { Scope } from '#server/session/scope.ts';
import { readPage } from '#server/wire/pagination.ts';

type Column = MessageInitShape<typeof Export_Format_Csv_ColumnSchema> & { name: string; jsonPath: string };

export interface AvailableFields {
  readonly jsonPaths: readonly string[];
  readonly columns: readonly Column[];
}

const timePaths = (path: string) => ['timestamp', 'timeZone', 'textual'].map((part) => `${path}.${part}`);

const messagePaths: readonly string[] = [
  '$.messageId',
  '$.modemNumber',
  '$.modemName',
  '$.modemIdentifier',
  ...timePaths('$.sentAt'),
  ...timePaths('$.receivedAt'),
  '$.location.latitude',
  '$.location.longitude',
  '$.location.textual',
  '$.bodyBytes.hex',
  '$.bodyBytes.bytes',
  '$.bodyFields',
  '$.bodyParsed',
  '$.bodyParsedSuccessfully',
  '$.isTest',
  '$.isGatewayMessage',
  '$.viaGatewayMessage',
  '$.metadata',
  '$.tags',
  '$.tagNames',
];

const valuePaths: readonly string[] = [
  '$.field',
  ...timePaths('$.time'),
  '$.device.number',
  '$.device.identifier',
  '$.device.name',
  '$.processPoint.identifier',
  '$.processPoint.name',
  '$.processPoint.type',
  '$.value.type',
  '$.value.numeric.type',
  '$.value.numeric.value',
  '$.value.numeric.unit',
  '$.value.numeric.unitSymbol',
  '$.value.numeric.formatted',
  '$.value.numeric.textual',
  '$.value.text',
  '$.value.enum.value',
  '$.value.enum.displayName',
];

const column = (name: string, jsonPath: string): Column => ({ name, jsonPath });

/** All owners' fields are in the total, so their own lists aren't needed. */
const NO_OWNERS = { ...readPage(undefined), limit: 0 };

/**
 * Returns the fields of messages.
 *
 * @param numbers the devices; all of them if empty (contract: ExportService.AvailableFields)
 */
export async function messageFields(app: App, caller: Scope, numbers: readonly string[]): Promise<AvailableFields> {
  const selection = create(ModemSelectionSchema, { modems: { include: [...numbers] } });
  const options = { preferences: undefined, fieldSelection: undefined };
  const { total } = await listDeviceFields(app, caller, selection, options, NO_OWNERS);
  const fields = fieldColumns(await total());
  return {
    jsonPaths: [...messagePaths, ...fields.map(({ jsonPath }) => jsonPath)],
    columns: [
      column('Device number', '$.modemNumber'),
      column('Device identifier', '$.modemIdentifier'),
      column('Device name', '$.modemName'),
      column('Sent at', '$.sentAt.timestamp'),
      column('Received at', '$.receivedAt.timestamp'),
      column('Latitude', '$.location.latitude'),
      column('Longitude', '$.location.longitude'),
      ...fields,
      column('Body', '$.bodyBytes.hex'),
    ],
  };
}

/** Returns a column for each field, with its unit. Parsers whose fields have the same path share a column. */
function fieldColumns(fields: readonly Field[]): Column[] {
  const columns = new Map<string, Column>();
  for (const field of fields) {
    const steps = stepsOf(field.field);
    if (steps === undefined) continue;
    const jsonPath = printJsonPath(['bodyFields', ...steps]);
    const name = field.displayName ?? field.field;
    const unit = field.details.case === 'numeric' ? (field.details.value.unit?.symbol ?? '') : '';
    const named = column(unit === '' ? name : `${name} (${unit})`, jsonPath);
    const existing = columns.get(jsonPath);
    // Numbers in different units can't have one unit in the header.
    columns.set(jsonPath, existing === undefined || existing.name === named.name ? named : column(name, jsonPath));
  }
  return [...columns.values()];
}

/** Returns the fields of values. They are the same for all process points, except for the kinds of values. */
export async function valueFields(app: App, caller: Scope, points: readonly string[]): Promise<AvailableFields> {
  const selection = create(ProcessPointSelectionSchema, { identifiers: [...points] });
  const options = { preferences: undefined, historic: true };
  const { total } = await listPointFields(app, caller, selection, options, NO_OWNERS);
  const fields = await total();
  const has = (type: ValueType) => fields.length === 0 || fields.some((field) => field.type === type);
  return {
    jsonPaths: valuePaths,
    columns: [
      column('Process point', '$.processPoint.name'),
      column('Process point identifier', '$.processPoint.identifier'),
      column('Device number', '$.device.number'),
      column('Device identifier', '$.device.identifier'),
      column('Time', '$.time.timestamp'),
      column('Field', '$.field'),
      ...(has(ValueType.NUMERIC)
        ? [column('Value', '$.value.numeric.value'), column('Unit', '$.value.numeric.unitSymbol')]
        : []),
      ...(has(ValueType.ENUM) ? [column('State', '$.value.enum.value')] : []),
      ...(has(ValueType.TEXT) ? [column('Text', '$.value.text')] : []),
    ],
  };
}
