import pg from 'pg';

import { listCauses } from '#server/base/describe-error.ts';

import type { Database, Tx } from './database.ts';

/** The unique indexes of names that people choose. */
const nameIndexes: ReadonlySet<string> = new Set(['tag_label', 'process_point_name', 'parser_name']);

/**
 * Runs a transaction that checks whether names are free before it stores them. If another transaction takes a name
 * after the check, runs it again: the check then finds the name, and its error explains which one is taken. Because of
 * that, `work` must change nothing outside the transaction.
 */
export async function storeNames<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (!isTakenName(error)) throw error;
    return db.transaction(work);
  }
}

const isTakenName = (error: unknown): boolean =>
  listCauses(error).some(
    (cause) => cause instanceof pg.DatabaseError && cause.code === '23505' && nameIndexes.has(cause.constraint ?? ''),
  );
