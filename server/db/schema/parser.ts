import type { JsonValue } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import {
  boolean,
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

import type { Field_Numeric_Format_RoundingMode } from '#proto/gen/hiber/field_pb.ts';
import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { Value_Numeric_Type, Value_Type } from '#proto/gen/hiber/value_pb.ts';

import { id, identifier, instant, naturalOrder, readableText } from './columns.ts';
import { device } from './device.ts';
import { organization } from './organization.ts';
import { tag } from './tag.ts';

/** A parser of message bodies. The organization owns it; child organizations may use it. */
export const parser = pgTable(
  'parser',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    name: readableText().notNull(),
    /** Kaitai Struct; generated for a simple parser. */
    definition: text().notNull(),
    /** SimpleModemMessageBodyParser as JSON; absent for an uploaded definition. */
    simple: jsonb().$type<JsonValue>(),
    /** ModemMessageBodyParser.MetadataFields as JSON. */
    metadataFields: jsonb().$type<JsonValue>().notNull().default({}),
    availableToAll: boolean().notNull().default(false),
    /** Child organizations, keyed by slug. */
    availableTo: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    unavailableTo: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'parser_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'parser_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    uniqueIndex('parser_name').on(table.organization, table.name),
    // The order of parsers and fields. Does not start with the organization because lists include ancestors' parsers.
    index('parser_order').on(naturalOrder(table.name), table.identifier),
  ],
);

/** The contract's Value.Enum, as stored. */
export interface EnumValue {
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly color: string;
  readonly priority: number;
}

/** The contract's Field.Numeric.Format, as stored. */
export interface StoredFormat {
  /** 0 rounds to an integer. If absent, the format doesn't specify decimals. */
  readonly decimals?: number;
  readonly roundingMode: Field_Numeric_Format_RoundingMode;
}

/** A declared output of a parser. */
export const parserField = pgTable(
  'parser_field',
  {
    organization: identifier().notNull(),
    parser: identifier().notNull(),
    identifier: identifier().notNull(),
    /** A name at the root of the result, or a path. */
    field: text().notNull(),
    displayName: readableText(),
    type: smallint().$type<Value_Type>().notNull(),
    numericType: smallint().$type<Value_Numeric_Type>(),
    unit: smallint().$type<UnitOfMeasurement>(),
    format: jsonb().$type<StoredFormat>(),
    enumValues: jsonb().$type<readonly EnumValue[]>(),
    /** Higher priorities come first. */
    priority: integer().notNull().default(0),
    encrypted: boolean().notNull().default(false),
    optional: boolean().notNull().default(false),
    operational: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ name: 'parser_field_pk', columns: [table.organization, table.parser, table.identifier] }),
    foreignKey({
      name: 'parser_field_parser',
      columns: [table.organization, table.parser],
      foreignColumns: [parser.organization, parser.identifier],
    }).onDelete('cascade'),
    uniqueIndex('parser_field_path').on(table.organization, table.parser, table.field),
    index('parser_field_by_identifier').on(table.organization, table.identifier),
  ],
);

/**
 * A parser assigned directly to a device. The parser may belong to an ancestor of the organization, and every foreign
 * key of a tenant table starts with the organization, so no foreign key refers to the parser.
 */
export const parserDevice = pgTable(
  'parser_device',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    parser: identifier().notNull(),
    /** The organization that owns the parser. */
    owner: identifier().notNull(),
    since: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: 'parser_device_pk', columns: [table.organization, table.number, table.parser] }),
    foreignKey({
      name: 'parser_device_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('parser_device_by_parser').on(table.owner, table.parser),
  ],
);

/** A parser assigned to a tag. It then applies to every device with the tag. */
export const parserTag = pgTable(
  'parser_tag',
  {
    organization: identifier().notNull(),
    tag: id().notNull(),
    parser: identifier().notNull(),
    /** The organization that owns the parser. */
    owner: identifier().notNull(),
    since: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: 'parser_tag_pk', columns: [table.organization, table.tag, table.parser] }),
    foreignKey({
      name: 'parser_tag_tag',
      columns: [table.organization, table.tag],
      foreignColumns: [tag.organization, tag.id],
    }).onDelete('cascade'),
    index('parser_tag_by_parser').on(table.owner, table.parser),
  ],
);
