import { randomBytes } from 'node:crypto';

import { sql } from 'drizzle-orm';

import type { Executor } from './database.ts';
import { counter } from './schema/counter.ts';

/**
 * Reserves the next `count` numeric ids for a noun ('tag', 'webhook', 'token' …) in an organization, ascending. Ids are
 * unique per organization (contract: Health, avatar, identifiers) and never reused. Inside a transaction, the
 * organization's counter stays locked until the transaction ends.
 */
export async function reserveIds(tx: Executor, organization: string, noun: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const [row] = await tx
    .insert(counter)
    .values({ organization, noun, value: count })
    .onConflictDoUpdate({
      target: [counter.organization, counter.noun],
      set: { value: sql`${counter.value} + ${count}` },
    })
    .returning({ last: counter.value });
  const last = row?.last ?? count;
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

/** Reserves a single id. */
export async function reserveId(tx: Executor, organization: string, noun: string): Promise<number> {
  const [id] = await reserveIds(tx, organization, noun, 1);
  return id as number;
}

/**
 * Returns the ids from a sequence that an insert returned, ascending. If it inserted its rows in order, they are in the
 * same order, although `returning` guarantees none.
 */
export const ascendingIds = (rows: readonly { readonly id: number }[]): number[] =>
  rows.map(({ id }) => id).sort((a, b) => a - b);

/** Creates an identifier that is unique system-wide even without its prefix (contract: Health, avatar, identifiers). */
export const newIdentifier = (prefix: 'parser' | 'field' | 'point' | 'retry' | 'transfer' | 'export'): string =>
  `${prefix}-${randomBytes(10).toString('hex')}`;
