import type { Column } from '#commands/model/column.ts';
import { enumName, toMs } from '#commands/model/wire.ts';
import { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';
import type { ValueContext, ValueContextSchema } from '#proto/gen/hiber/value_service_pb.ts';

import { enumLabels } from './enum-labels.ts';
import { rawValue, valueText } from './value-text.ts';

export const numericTypeLabels = enumLabels(Value_Numeric_Type, 'common:numericType');

/** The newest value of each numeric type. Carries its schema, which a table does not need. */
export interface LatestNumbers {
  readonly values: readonly ValueContext[];
  readonly schema: typeof ValueContextSchema;
}

const Type = Value_Numeric_Type;

/** The numeric types with a column: those that say what is measured, the most common ones first. */
const COLUMN_TYPES = [
  Type.PRESSURE,
  Type.TEMPERATURE,
  Type.FLOW,
  Type.DISTANCE,
  Type.PERCENTAGE,
  Type.VOLUME,
  Type.MASS,
  Type.RATE,
  Type.SPEED,
  Type.ROTATION_SPEED,
  Type.DURATION,
  Type.FUEL_EFFICIENCY,
  Type.VOLTAGE,
  Type.BATTERY_LEVEL,
];

/** `BATTERY_LEVEL` becomes `batteryLevel`. */
const columnId = (type: Value_Numeric_Type): string =>
  (enumName(Value_Numeric_Type, type) ?? '')
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** A value older than this number of intervals is shown as old. */
const OLD_INTERVALS = 3;
const DAY = 86_400_000;

/** Returns the age in ms from which a value is shown as old. `interval` is the usual time between two values. */
export const oldAfter = (interval: number | undefined): number => (interval ? interval * OLD_INTERVALS : DAY);

interface ValuesOf<Item> {
  readonly values: (item: Item) => readonly ValueContext[] | undefined;
  /** Returns the usual time between two values, in ms. */
  readonly interval: (item: Item) => number | undefined;
}

/** Adds an optional column for each numeric type, with the newest value, after the column with the given id. */
export function withLatestNumbers<Item>(
  columns: readonly Column<Item>[],
  after: string,
  of: ValuesOf<Item>,
): readonly Column<Item>[] {
  const index = columns.findIndex(({ id }) => id === after) + 1;
  return [...columns.slice(0, index), ...latestNumberColumns(of), ...columns.slice(index)];
}

function latestNumberColumns<Item>({ values, interval }: ValuesOf<Item>): readonly Column<Item>[] {
  return COLUMN_TYPES.map((type): Column<Item> => {
    const valueOf = (item: Item): ValueContext | undefined => values(item)?.find((value) => typeOf(value) === type);
    const textOf = (item: Item) => {
      const value = valueOf(item);
      return value && valueText(value);
    };
    return {
      id: columnId(type),
      title: numericTypeLabels.text(type),
      kind: 'value',
      optional: true,
      width: 96,
      // Room for 13 digits and a unit, if the table has it.
      comfortableWidth: 168,
      value: (item) => {
        const { text = '', unit = '' } = textOf(item) ?? {};
        return [text, unit].filter(Boolean).join(' ') || undefined;
      },
      unit: (item) => textOf(item)?.unit ?? '',
      raw: (item) => {
        const value = valueOf(item);
        return value && rawValue(value);
      },
      time: (item) => toMs(valueOf(item)?.time),
      oldAfter: (item) => oldAfter(interval(item)),
    };
  });
}

function typeOf({ valueType }: ValueContext): Value_Numeric_Type | undefined {
  const value = valueType.case === 'value' ? valueType.value.value : undefined;
  return value?.case === 'numeric' ? value.value.type : undefined;
}
