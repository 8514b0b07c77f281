import { sql } from 'drizzle-orm';
import type { Executor } from '../db/database.ts';
import { rightsChannel } from './channels.ts';

/** Ids per notice: an identity provider's ids may have 128 characters. */
const idsPerNotice = 50;

/** Tells every process, when the transaction commits, that what these people may do was changed. */
export async function tellRightsChanged(tx: Executor, userIds: readonly string[]): Promise<void> {
  for (let start = 0; start < userIds.length; start += idsPerNotice) {
    const payload = JSON.stringify(userIds.slice(start, start + idsPerNotice));
    await tx.execute(sql`select pg_notify(${rightsChannel}, ${payload})`);
  }
}
