import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';

import type { Orm } from './database.ts';

/** Columns are snake_case in the database and camelCase in code. */
export const CASING = 'snake_case';

/** Creates Drizzle's query builder over a pool or a single connection. */
export const createOrm = (client: Pool | PoolClient): Orm => drizzle(client, { casing: CASING });
