import { boolean, foreignKey, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';

import { id, identifier, instant } from '#server/db/schema/columns.ts';
import { organization } from '#server/db/schema/organization.ts';

/** An unfinished call of `Retry`. It's stored, so it survives if the server is killed. */
export const parserRetry = pgTable(
  'parser_retry',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    /** The messages to parse again, in order. */
    messages: id().array().notNull(),
    /** How many of them are done. */
    done: integer().notNull().default(0),
    suppressEvents: boolean().notNull(),
    /** When another process may take over the job: by then, the one running it must be dead. */
    leasedUntil: instant().notNull(),
    /** Failed attempts since the last progress. */
    failures: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ name: 'parser_retry_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'parser_retry_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** The parsers that a retry applies to each device. The key allows one retry at a time per parser and device. */
export const parserRetryDevice = pgTable(
  'parser_retry_device',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    parser: identifier().notNull(),
    retry: identifier().notNull(),
  },
  (table) => [
    primaryKey({ name: 'parser_retry_device_pk', columns: [table.organization, table.number, table.parser] }),
    foreignKey({
      name: 'parser_retry_device_retry',
      columns: [table.organization, table.retry],
      foreignColumns: [parserRetry.organization, parserRetry.identifier],
    }).onDelete('cascade'),
  ],
);
