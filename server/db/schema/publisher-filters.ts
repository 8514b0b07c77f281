import { sql } from 'drizzle-orm';
import { boolean, jsonb, text } from 'drizzle-orm/pg-core';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/** As the contract's Filter.* messages: include (empty keeps everything), then exclude. */
export interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/** Which events a publisher, or a person's mails, are told of: the columns of every table that keeps such a choice. */
export const publisherFilters = () => ({
  /** EventType numbers. */
  eventFilter: jsonb().$type<IncludeExclude<EventType>>().notNull().default({ include: [], exclude: [] }),
  /** Device numbers. */
  deviceFilter: jsonb().$type<IncludeExclude<string>>().notNull().default({ include: [], exclude: [] }),
  /** Tag ids. */
  tagFilter: jsonb().$type<IncludeExclude<number>>().notNull().default({ include: [], exclude: [] }),
  healthLevels: text()
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** Whoever set the filters could see devices in every lifecycle, so their events are told too. */
  allLifecycles: boolean().notNull().default(false),
});
