import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';

import type { Orm } from './database.ts';

/** Drizzle over a pool or a single connection; columns are snake_case in the database and camelCase in code. */
export const ormOver = (client: Pool | PoolClient): Orm => drizzle(client, { casing: 'snake_case' });
