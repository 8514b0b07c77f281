import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { id, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';
import { publisherFilters } from './publisher-filters.ts';

/**
 * Who is told of events, whatever its kind: which events it wants, how it fares, and who delivers for it. What only one
 * kind has, such as the address of a webhook, stands in a table of that kind with the same key.
 *
 * The kinds of an organization share their ids, as events and their filters name a publisher by its id alone (contract:
 * EventSelection).
 */
export const publisher = pgTable(
  'publisher',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    /** Name of the target that delivers for it, such as `webhook`. */
    kind: text().notNull(),
    disabled: boolean().notNull().default(false),
    ...publisherFilters(),
    /** Seconds; 0 turns the warning off. */
    healthWarningPeriod: integer().notNull().default(86_400),
    healthWarningFailurePercentage: integer().notNull().default(10),
    /** Step in the cooldown table of the contract, 0 when not failing. */
    cooldownStep: smallint().notNull().default(0),
    inCooldownUntil: instant(),
    failingSince: instant(),
    lastCallFailed: boolean().notNull().default(false),
    /** Disabled by the server after long failure, not by a person. */
    autoDisabled: boolean().notNull().default(false),
    autoDisableSuspendedUntil: instant(),
    /** Which server process delivers for this publisher now, so that its calls stay in order. */
    leaseOwner: text(),
    /** Without an owner: when the last turn ended. */
    leaseUntil: instant(),
  },
  (table) => [
    primaryKey({ name: 'publisher_pk', columns: [table.organization, table.id] }),
    index('publisher_leased')
      .on(table.leaseOwner, table.organization)
      .where(sql`lease_owner is not null`),
    foreignKey({
      name: 'publisher_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);
