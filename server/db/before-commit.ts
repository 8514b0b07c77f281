import type { Tx } from './database.ts';

/** The deferred work of open transactions. */
const deferredWork = new WeakMap<Tx, (() => Promise<void>)[]>();

/** Defers work to the end of a transaction, after everything else in it. */
export function beforeCommit(tx: Tx, work: () => Promise<void>): void {
  const callbacks = deferredWork.get(tx);
  if (callbacks === undefined) throw new Error('beforeCommit requires a transaction started by Database.transaction.');
  callbacks.push(work);
}

/** Wraps a transaction's work to run its deferred work last, before the commit. */
export function withBeforeCommit<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    const callbacks: (() => Promise<void>)[] = [];
    deferredWork.set(tx, callbacks);
    const result = await work(tx);
    for (const run of callbacks) await run();
    return result;
  };
}
