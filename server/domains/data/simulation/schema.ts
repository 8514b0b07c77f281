import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { Value_Numeric_Type, Value_Type } from '#proto/gen/hiber/value_pb.ts';
import type { Box } from '#server/db/locations.ts';
import { id, identifier, instant } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import type { Point } from '#server/db/schema/tag.ts';

/** The settings of an organization's simulated messages. All periods are in seconds. */
export const simulation = pgTable(
  'simulation',
  {
    organization: identifier().notNull(),
    enabled: boolean().notNull().default(false),
    /** The maximum percentage of simulating devices that are silent at a time. */
    inactivityPercentage: smallint().notNull().default(0),
    inactivityMin: integer().notNull().default(0),
    inactivityMax: integer().notNull().default(0),
    /** The percentage of messages whose sent time is in the past. */
    delayPercentage: smallint().notNull().default(0),
    delayMin: integer().notNull().default(0),
    delayMax: integer().notNull().default(0),
    /** The defaults of devices without their own. */
    messagesPerInterval: smallint().notNull().default(1),
    intervalSeconds: integer().notNull().default(3600),
  },
  (table) => [
    primaryKey({ name: 'simulation_pk', columns: [table.organization] }),
    foreignKey({
      name: 'simulation_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** The messages that the server simulates for a device. */
export const messageSimulation = pgTable(
  'message_simulation',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    enabled: boolean().notNull().default(true),
    /** Absent for the organization's default, as is `intervalSeconds`. */
    messagesPerInterval: smallint(),
    intervalSeconds: integer(),
    /** The bodies to send in turn, in hex. */
    bodies: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The indices of the bytes that are random in each message. */
    variableBytes: integer()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The locations are either random in an area, or taken in turn; absent for neither. */
    area: jsonb().$type<Box>(),
    locations: jsonb().$type<readonly Point[]>(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    /** The messages sent so far: the position in both rotations. */
    sent: id().notNull().default(0),
    nextRun: instant().notNull(),
    /** Absent before the first run. Even after an update, the next run is at least an interval later. */
    lastRun: instant(),
    /** Why `nextRun` is later than the interval requires; absent if it isn't. */
    pause: text().$type<'requested' | 'inactivity'>(),
  },
  (table) => [
    primaryKey({ name: 'message_simulation_pk', columns: [table.organization, table.number] }),
    foreignKey({
      name: 'message_simulation_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('message_simulation_due')
      .on(table.organization, table.nextRun)
      .where(sql`${table.enabled}`),
  ],
);

/** The values that the server simulates for a field of a device, without a message. */
export const valueSimulation = pgTable(
  'value_simulation',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    /** The path of the field. */
    field: identifier().notNull(),
    fieldIdentifier: identifier().notNull(),
    parser: identifier().notNull(),
    /** The organization that owns the parser. */
    owner: identifier().notNull(),
    type: smallint().$type<Value_Type>().notNull(),
    numericType: smallint().$type<Value_Numeric_Type>(),
    unit: smallint().$type<UnitOfMeasurement>(),
    /** Stored in turn. The values of an encrypted field are sealed. */
    rotation: jsonb().$type<readonly (number | string)[]>().notNull(),
    sealed: boolean().notNull().default(false),
    intervalSeconds: integer().notNull(),
    /** The values stored so far: the position in the rotation. */
    sent: id().notNull().default(0),
    nextRun: instant().notNull(),
    lastRun: instant(),
  },
  (table) => [
    primaryKey({ name: 'value_simulation_pk', columns: [table.organization, table.number, table.field] }),
    foreignKey({
      name: 'value_simulation_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('value_simulation_due').on(table.organization, table.nextRun),
  ],
);

/** The locations that the server simulates for a device, without a message. */
export const locationSimulation = pgTable(
  'location_simulation',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    /** The locations are either random in an area, or taken in turn. */
    area: jsonb().$type<Box>(),
    locations: jsonb().$type<readonly Point[]>(),
    intervalSeconds: integer().notNull(),
    sent: id().notNull().default(0),
    nextRun: instant().notNull(),
    lastRun: instant(),
  },
  (table) => [
    primaryKey({ name: 'location_simulation_pk', columns: [table.organization, table.number] }),
    foreignKey({
      name: 'location_simulation_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('location_simulation_due').on(table.organization, table.nextRun),
  ],
);
