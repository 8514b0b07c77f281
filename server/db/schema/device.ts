import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant, naturalOrder, readableText } from './columns.ts';
import { healthLevel } from './health-level.ts';
import { organization } from './organization.ts';

/**
 * Anything that sends messages: sensors, gateways, valves. `number` is stored as on the wire, 8 hex digits in two
 * groups ('24F0 91C7'). Enum columns hold the numbers of the contract's enums.
 */
export const device = pgTable(
  'device',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    name: readableText().notNull(),
    /** Modem.Type: 0 OTHER, 2 GATEWAY, 3 SENSOR, 4 VALVE. */
    type: smallint().notNull().default(0),
    /** Modem.Lifecycle. */
    lifecycle: smallint().notNull(),
    /** The name of the worst level among the device's current conditions. */
    healthLevel: readableText().notNull(),
    /** The number of the gateway that relayed the last message. */
    gateway: identifier(),
    gatewayBrand: text(),
    sensorBrand: readableText().notNull().default(''),
    /** The identifier of the device type, such as 'pressure-lora-2'. */
    deviceType: readableText().notNull().default(''),
    /** The version of each peripheral by its name. A version can be empty. */
    peripherals: jsonb().$type<Record<string, string>>().notNull().default({}),
    gps: boolean().notNull().default(false),
    customAntenna: text().notNull().default(''),
    notes: text().notNull().default(''),
    secureNotes: text().notNull().default(''),
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    settings: jsonb().$type<Record<string, string>>().notNull().default({}),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    /** IANA name; absent means UTC. */
    timeZone: text(),
    /** Seconds between messages, as configured on the device. */
    transmissionInterval: integer(),
    /** Messages per 24 hours that the service level expects; absent means the organization's default. */
    expectedTransmissionRate: integer(),
    /** Value.Numeric.Type numbers. A trigger on `latest_value` adds those of new fields (migration 0019). */
    numericValueTypes: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    externalIds: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Modem.ConnectedDeviceInfo.Frequency. */
    frequency: smallint(),
    batteryReplacedAt: instant(),
    valveOpen: boolean(),
    /** Valve.HighPressureLineStatus. */
    valveLineStatus: smallint(),
    hardwareProductionBatch: text().notNull().default(''),
    manufacturer: text().notNull().default(''),
    requiredFirmware: text(),
    lastMessageId: id(),
    lastMessageSentAt: instant(),
    lastMessageReceivedAt: instant(),
    lastMessageBody: bytes(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'device_pk', columns: [table.organization, table.number] }),
    foreignKey({
      name: 'device_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'device_health_level',
      columns: [table.organization, table.healthLevel],
      foreignColumns: [healthLevel.organization, healthLevel.level],
    }).onUpdate('cascade'),
    // Includes the lifecycle, which nearly every query restricts, so a page far down the list needs only the index.
    index('device_by_name').on(table.organization, naturalOrder(table.name), table.number, table.lifecycle),
    index('device_by_activity').on(
      table.organization,
      table.lastMessageReceivedAt.desc().nullsLast(),
      table.number.desc(),
      table.lifecycle,
    ),
    index('device_by_health').on(table.organization, table.healthLevel, table.lifecycle),
    index('device_by_lifecycle').on(table.organization, table.lifecycle),
    index('device_by_type').on(table.organization, table.type, table.lifecycle, table.number),
    index('device_by_gateway').on(table.organization, table.gateway, table.lifecycle),
    index('device_external_ids').using('gin', table.externalIds),
  ],
);
