import { sql } from 'drizzle-orm';
import { boolean, date, foreignKey, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';

import { bytes, identifier, instant, naturalOrder, readableText } from './columns.ts';

/** The contract's Organization.Address, as it's stored. */
export interface Address {
  readonly lines: string[];
  readonly zipCode: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

/** The contract's Organization.Contact, as it is stored. */
export interface Contact {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/**
 * An organization. `id` is the slug that requests use. This is a reference table (small, and the same on every shard),
 * so it has no tenant key. `path` holds the organization and all its ancestors, root first. To find descendants without
 * recursion, use `path @> array[ancestor]`.
 */
export const organization = pgTable(
  'organization',
  {
    id: identifier().primaryKey(),
    parent: identifier(),
    path: text().array().notNull(),
    displayName: readableText().notNull(),
    /** Organization.Feature numbers. */
    features: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    isBusiness: boolean().notNull().default(true),
    vatNumber: text().notNull().default(''),
    address: jsonb().$type<Address>(),
    billingName: text().notNull().default(''),
    billingAddress: jsonb().$type<Address>(),
    contact: jsonb().$type<Contact>(),
    /** Either a URL, or an image with its media type. */
    avatarUrl: text(),
    avatarImage: bytes(),
    avatarMediaType: text(),
    /** The file name of the image; absent if it was uploaded without a name, or before names were stored. */
    avatarName: text(),
    contractSignatureDate: date({ mode: 'string' }),
    /** Messages per 24 hours for devices without their own rate. */
    expectedTransmissionRate: integer(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    foreignKey({ name: 'organization_parent', columns: [table.parent], foreignColumns: [table.id] }),
    index('organization_descent').using('gin', table.path),
    // The order of OrganizationService.ListChildOrganizations.
    index('organization_order').on(naturalOrder(table.displayName), table.id),
    index('organization_children').on(table.parent, table.displayName, table.id),
  ],
);
