import { boolean, doublePrecision, foreignKey, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { Value_Numeric_Type, Value_Type } from '#proto/gen/hiber/value_pb.ts';

import { id, identifier, instant } from './columns.ts';
import { device } from './device.ts';

/** A value's columns besides its device, field, and time. */
const columns = {
  /** The message that it was parsed from; 0 for a simulated value. */
  message: id().notNull(),
  /** The identifier of the parser that the field belongs to. */
  parser: identifier().notNull(),
  type: smallint().$type<Value_Type>().notNull(),
  /** The type and unit of the field when the value was stored. They may change later. */
  numericType: smallint().$type<Value_Numeric_Type>(),
  unit: smallint().$type<UnitOfMeasurement>(),
  numeric: doublePrecision(),
  /** The text or enum value, or the encrypted number or text if the value is sealed. */
  text: text(),
  /** True if the field was encrypted when it was stored. */
  sealed: boolean().notNull().default(false),
  /** True for a value about the device itself, which process points do not get. */
  operational: boolean().notNull(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
};

/**
 * Values parsed from messages, partitioned by the month in which they were measured (partitions.ts). They belong to
 * devices. The periods of assignments determine which process points they also belong to, so backdating an assignment
 * moves history without rewriting it. There is no foreign key to the device, as with messages.
 */
export const value = pgTable(
  'value',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    /** When it was measured. */
    time: instant().notNull(),
    field: identifier().notNull(),
    ...columns,
  },
  (table) => [
    primaryKey({
      name: 'value_pk',
      // The field comes before the time because a chart reads one field over a long period.
      columns: [table.organization, table.number, table.field, table.time, table.message, table.parser],
    }),
  ],
);

/**
 * The newest value of each field of a device, kept up to date by the transactions that store values. A field has two if
 * its values were operational only some of the time, because most readers don't get operational values.
 */
export const latestValue = pgTable(
  'latest_value',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    field: identifier().notNull(),
    time: instant().notNull(),
    ...columns,
  },
  (table) => [
    primaryKey({
      name: 'latest_value_pk',
      columns: [table.organization, table.number, table.field, table.operational],
    }),
    foreignKey({
      name: 'latest_value_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
  ],
);
