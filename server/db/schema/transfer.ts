import { boolean, foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/**
 * Transfers of devices between organizations, with one row in the sender and one in the recipient. Each keeps its row
 * even if the other organization is deleted.
 */
export const transfer = pgTable(
  'transfer',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    sender: identifier().notNull(),
    recipient: identifier().notNull(),
    comment: text().notNull().default(''),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: 'transfer_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'transfer_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('transfer_order').on(table.organization, table.createdAt, table.identifier),
  ],
);

/** The devices of transfers. There is no foreign key to the device, because it can be transferred again. */
export const transferDevice = pgTable(
  'transfer_device',
  {
    organization: identifier().notNull(),
    transfer: identifier().notNull(),
    number: identifier().notNull(),
    /** True if the device was in a lifecycle hidden from customers when it was transferred. */
    hidden: boolean().notNull(),
  },
  (table) => [
    primaryKey({ name: 'transfer_device_pk', columns: [table.organization, table.transfer, table.number] }),
    foreignKey({
      name: 'transfer_device_transfer',
      columns: [table.organization, table.transfer],
      foreignColumns: [transfer.organization, transfer.identifier],
    }).onDelete('cascade'),
    index('transfer_device_by_number').on(table.organization, table.number),
  ],
);
