import { sql } from 'drizzle-orm';

import type { Executor } from './database.ts';
import { executePrepared } from './prepared.ts';

/** Finds the root of an organization's tree, or the organization itself if it was deleted in the meantime. */
export async function findRootOrganization(db: Executor, organization: string): Promise<string> {
  const { rows } = await executePrepared<{ root: string }>(
    db,
    sql`select path[1] as root from organization where id = ${organization}`,
  );
  return rows[0]?.root ?? organization;
}
