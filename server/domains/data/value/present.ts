import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { and, eq } from 'drizzle-orm';

import { converter, difference } from '#commands/units/convert.ts';
import { unitOf } from '#commands/units/table.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_Type as NumericType,
  type ValueSchema,
  Value_Type as ValueType,
} from '#proto/gen/hiber/value_pb.ts';
import { type ValueContext, ValueContextSchema } from '#proto/gen/hiber/value_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { parserField } from '#server/db/schema/parser.ts';
import { type FieldRow, presentFormat } from '#server/domains/data/parser/model/fields.ts';
import { numericPresenter } from '#server/wire/numeric.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import type { ValueColumns } from './query.ts';
import { type DeviceOwner, ownerColumns, type ValueCriteria } from './selection.ts';

type ValueInit = MessageInitShape<typeof ValueSchema>;

/** Presents values in the caller's units. */
export interface ValuePresenter {
  value(row: ValueColumns): ValueInit;
  /** Presents the difference of two numbers in the unit in which they are presented. */
  delta(row: ValueColumns, previous: ValueColumns): ValueInit;
  context(row: ValueColumns, valueType: MessageInitShape<typeof ValueContextSchema>['valueType']): ValueContext;
}

/** Loads the declared fields, devices, and process points, and returns a presenter for the values. */
export async function createValuePresenter(
  orm: Executor,
  { organization, owners }: Pick<ValueCriteria, 'organization' | 'owners'>,
  rows: readonly ValueColumns[],
  preferences: UnitPreferences,
): Promise<ValuePresenter> {
  const parsers = [...new Set(rows.map(({ parser }) => parser))];
  const [fieldRows, deviceRows] = await Promise.all([
    orm.select().from(parserField).where(anyOf(parserField.parser, parsers)),
    'devices' in owners ? owners.devices : loadDevices(orm, organization, rows),
  ]);
  const fields = new Map(fieldRows.map((row) => [`${row.parser}/${row.field}`, row]));
  const devices = new Map(deviceRows.map((row) => [row.number, row]));
  const points = new Map('points' in owners ? owners.points.map((point) => [point.identifier, point]) : []);
  const numericPresenters = new Map<string, ReturnType<typeof numericPresenter>>();

  const fieldOf = (row: ValueColumns): FieldRow | undefined => fields.get(`${row.parser}/${row.field}`);
  const formatOf = (field: FieldRow | undefined) => (field?.format ? presentFormat(field.format) : undefined);

  const numericOf = (row: ValueColumns) => {
    const key = `${row.parser}/${row.field}/${row.numericType}/${row.unit}`;
    const cachedPresenter = numericPresenters.get(key);
    if (cachedPresenter !== undefined) return cachedPresenter;
    const presentNumber = numericPresenter(
      {
        type: row.numericType ?? NumericType.OTHER,
        unit: row.unit ?? UnitOfMeasurement.UNIT_UNKNOWN,
        format: formatOf(fieldOf(row)),
      },
      preferences,
    );
    numericPresenters.set(key, presentNumber);
    return presentNumber;
  };

  const presentValue = (row: ValueColumns): ValueInit => {
    const { type, numeric, text } = row;
    if (type === ValueType.NUMERIC) return { type, value: { case: 'numeric', value: numericOf(row)(numeric ?? 0) } };
    if (type !== ValueType.ENUM) return { type, value: { case: 'text', value: text ?? '' } };
    const label = fieldOf(row)?.enumValues?.find((item) => item.value === text);
    return { type, value: { case: 'enum', value: label ?? { value: text ?? '' } } };
  };

  return {
    value: presentValue,
    delta(row, previous) {
      const current = numericOf(row)(row.numeric ?? 0);
      const before = valueIn(current.unit, numericOf(previous)(previous.numeric ?? 0));
      // Converting the difference itself would be wrong for units with an offset, such as temperatures.
      const quantity = {
        type: row.numericType ?? NumericType.OTHER,
        unit: current.unit ?? UnitOfMeasurement.UNIT_UNKNOWN,
        format: formatOf(fieldOf(row)),
      };
      const { convertedFrom } = current;
      const exact = difference(current.value ?? 0, before);
      const finite = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, exact));
      const shown = numericPresenter(quantity, preferences)(finite);
      return { type: row.type, value: { case: 'numeric', value: { ...shown, convertedFrom } } };
    },
    context(row, valueType) {
      const source = devices.get(row.number);
      const point = points.get(row.owner);
      return create(ValueContextSchema, {
        field: row.field,
        time: presentTimestamp(new Date(row.time), source?.timeZone ?? 'UTC'),
        valueType,
        device: { number: row.number, identifier: source?.externalIds[0] ?? '', name: source?.name ?? '' },
        processPoint: point && { identifier: point.identifier, name: point.name, type: point.type ?? 0 },
      });
    },
  };
}

/** Returns a number in another unit of the same type, because the unit of a field can change between two values. */
function valueIn(
  unit: UnitOfMeasurement | undefined,
  { value = 0, unit: from }: ReturnType<ReturnType<typeof numericPresenter>>,
): number {
  const [source, target] = [from, unit].map((id) => (id === undefined ? undefined : unitOf(id)));
  return source && target && source.kind === target.kind ? (converter(source, target)(value) ?? value) : value;
}

/** Loads the devices of process points. */
function loadDevices(orm: Executor, organization: string, rows: readonly ValueColumns[]): Promise<DeviceOwner[]> {
  const numbers = [...new Set(rows.map(({ number }) => number))];
  return orm
    .select(ownerColumns)
    .from(device)
    .where(and(eq(device.organization, organization), anyOf(device.number, numbers)));
}
