import type { Tx } from './database.ts';

/** What open transactions put off. */
const putOff = new WeakMap<Tx, (() => Promise<void>)[]>();

/** Does something as the last part of a transaction, after everything else in it. */
export function beforeCommit(tx: Tx, work: () => Promise<void>): void {
  const waiting = putOff.get(tx);
  if (waiting === undefined) throw new Error('Only Database.transaction runs what is put off until the commit.');
  waiting.push(work);
}

/** The work of a transaction, followed by what it put off. */
export function withBeforeCommit<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    const waiting: (() => Promise<void>)[] = [];
    putOff.set(tx, waiting);
    const result = await work(tx);
    for (const pick of waiting) await pick();
    return result;
  };
}
