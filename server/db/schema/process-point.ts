import { sql } from 'drizzle-orm';
import {
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

import type { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';

import { id, identifier, instant, naturalOrder, readableText } from './columns.ts';
import { device } from './device.ts';
import { organization } from './organization.ts';
import { tag } from './tag.ts';

/** A quantity in the field that devices measure, such as the annulus of a well. */
export const processPoint = pgTable(
  'process_point',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    name: readableText().notNull(),
    type: smallint().$type<ProcessPoint_Type>(),
    description: text().notNull().default(''),
    notes: text().notNull().default(''),
    /** IANA name; absent means UTC. */
    timeZone: text(),
    /** Messages per 24 hours; absent means the organization's default. */
    expectedTransmissionRate: integer(),
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    createdAt: instant().notNull().defaultNow(),
    /** The searchable text, in lowercase. */
    searchText: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower((identifier || ' ' || name || ' ' || description || ' ' || notes || ' ' || coalesce(time_zone, '')) collate "und-x-icu")`,
      ),
  },
  (table) => [
    primaryKey({ name: 'process_point_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'process_point_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    uniqueIndex('process_point_name').on(table.organization, table.name),
    index('process_point_order').on(table.organization, naturalOrder(table.name), table.identifier),
    index('process_point_search').using('gin', table.organization, table.searchText.op('gin_trgm_ops')),
  ],
);

export const processPointTag = pgTable(
  'process_point_tag',
  {
    organization: identifier().notNull(),
    point: identifier().notNull(),
    tag: id().notNull(),
    since: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'process_point_tag_pk', columns: [table.organization, table.point, table.tag] }),
    foreignKey({
      name: 'process_point_tag_point',
      columns: [table.organization, table.point],
      foreignColumns: [processPoint.organization, processPoint.identifier],
    }).onDelete('cascade'),
    foreignKey({
      name: 'process_point_tag_tag',
      columns: [table.organization, table.tag],
      foreignColumns: [tag.organization, tag.id],
    }).onDelete('cascade'),
    index('process_point_tag_by_tag').on(table.organization, table.tag, table.point),
  ],
);

/**
 * The periods during which a device measures a process point. A value belongs to the points that its device measured at
 * that time. A device's times at the same point don't overlap. The constraint for this, `process_point_device_overlap`,
 * is in the migration, because drizzle-kit cannot write it.
 */
export const processPointDevice = pgTable(
  'process_point_device',
  {
    organization: identifier().notNull(),
    point: identifier().notNull(),
    number: identifier().notNull(),
    since: instant().notNull(),
    /** Exclusive; absent for a current assignment. */
    until: instant(),
    /** Paths of the fields that the device shares with the point; empty means all. */
    sharedFields: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    primaryKey({
      name: 'process_point_device_pk',
      columns: [table.organization, table.point, table.number, table.since],
    }),
    foreignKey({
      name: 'process_point_device_point',
      columns: [table.organization, table.point],
      foreignColumns: [processPoint.organization, processPoint.identifier],
    }).onDelete('cascade'),
    foreignKey({
      name: 'process_point_device_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('process_point_device_by_device').on(table.organization, table.number, table.since),
    check('process_point_device_order', sql`${table.until} > ${table.since}`),
  ],
);
