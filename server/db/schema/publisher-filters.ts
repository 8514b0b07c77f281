import { sql } from 'drizzle-orm';
import { boolean, jsonb, text } from 'drizzle-orm/pg-core';

import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/** Like the contract's Filter.* messages. An empty `include` matches everything. `exclude` takes precedence. */
export interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/** Returns the columns that store the event filters of a publisher or of a user's emails. */
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
  /** True if the user who set the filters could see devices in every lifecycle, so their events are included. */
  allLifecycles: boolean().notNull().default(false),
});
