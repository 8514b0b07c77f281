import { foreignKey, index, integer, jsonb, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';

import { id, identifier, instant, naturalOrder, polygon, readableText } from './columns.ts';
import { device } from './device.ts';
import { organization } from './organization.ts';
import { webhook } from './webhook.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The location in Tag.Metadata. The corners of an area are normalized. */
export type TagLocation =
  | { kind: 'point'; point: Point }
  | { kind: 'area'; bottomLeft: Point; topRight: Point }
  | { kind: 'shape'; path: Point[] };

/** A label that groups devices, process points, and publishers. */
export const tag = pgTable(
  'tag',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    name: readableText().notNull(),
    type: readableText().notNull(),
    /** Higher priorities sort first; 0 means no priority. */
    priority: integer().notNull().default(0),
    location: jsonb().$type<TagLocation>(),
    /** The location as a polygon, for selections by area. */
    outline: polygon(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'tag_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'tag_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    // The order of TagService.List.
    index('tag_order').on(table.organization, table.priority.desc().nullsFirst(), naturalOrder(table.name), table.id),
    // The first process points by the names of their tags of a type.
    index('tag_by_name').on(table.organization, table.type, naturalOrder(table.name), table.id),
    index('tag_search').using('gin', table.organization, table.name.op('gin_trgm_ops')),
    uniqueIndex('tag_label').on(table.organization, table.type, table.name),
  ],
);

export const deviceTag = pgTable(
  'device_tag',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    tag: id().notNull(),
    since: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'device_tag_pk', columns: [table.organization, table.number, table.tag] }),
    foreignKey({
      name: 'device_tag_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    foreignKey({
      name: 'device_tag_tag',
      columns: [table.organization, table.tag],
      foreignColumns: [tag.organization, tag.id],
    }).onDelete('cascade'),
    index('device_tag_by_tag').on(table.organization, table.tag, table.number),
  ],
);

export const webhookTag = pgTable(
  'webhook_tag',
  {
    organization: identifier().notNull(),
    webhook: id().notNull(),
    tag: id().notNull(),
  },
  (table) => [
    primaryKey({ name: 'webhook_tag_pk', columns: [table.organization, table.webhook, table.tag] }),
    foreignKey({
      name: 'webhook_tag_webhook',
      columns: [table.organization, table.webhook],
      foreignColumns: [webhook.organization, webhook.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'webhook_tag_tag',
      columns: [table.organization, table.tag],
      foreignColumns: [tag.organization, tag.id],
    }).onDelete('cascade'),
    index('webhook_tag_by_tag').on(table.organization, table.tag, table.webhook),
  ],
);
