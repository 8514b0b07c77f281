import { AsyncLocalStorage } from 'node:async_hooks';

import type { Use } from './turns.ts';

/**
 * The work that a statement belongs to, which determines its time limits. Statements outside any unit of work
 * (deliveries, emails, streams) have the ordinary limits and are never canceled.
 */
export interface Work extends Use {
  /** Aborts when the caller hangs up or its deadline passes. Undefined for maintenance, which has no limits. */
  readonly signal: AbortSignal | undefined;
  /**
   * True once the work has ended. Timers and connections that it left behind still refer to it, and must not be
   * canceled with it.
   */
  hasEnded: boolean;
}

const store = new AsyncLocalStorage<Work>();

export function currentWork(): Work | undefined {
  const work = store.getStore();
  return work?.hasEnded === true ? undefined : work;
}

async function runInWork<T>(work: Work, run: () => PromiseLike<T>): Promise<T> {
  try {
    // The await is inside the callback because the ORM sends a query only when it's awaited.
    return await store.run(work, async () => await run());
  } finally {
    work.hasEnded = true;
  }
}

/**
 * Runs `run` for a caller. When `signal` aborts, cancels the statements that it has sent and sends no more.
 *
 * @param account the account to charge for its use of the database (turns.ts)
 */
export const forCaller = <T>(signal: AbortSignal, run: () => PromiseLike<T>, account?: string): Promise<T> =>
  runInWork({ signal, account, usedMs: 0, hasEnded: false }, run);

/** Runs `run` without time limits. Migrations, seeding, and maintenance need this, because they can take minutes. */
export const withoutTimeLimit = <T>(run: () => PromiseLike<T>): Promise<T> =>
  runInWork({ signal: undefined, usedMs: 0, hasEnded: false }, run);

/** Runs `run` without a caller, for resources that outlive the call that first needs them, such as a connection. */
export const withoutCaller = <T>(run: () => T): T => store.exit(run);

/**
 * Runs `run` to completion even if the caller hangs up. Use it for statements that record something irreversible, such
 * as a call to a receiver or a new account at the identity provider, and for work shared by several callers. The
 * ordinary limits apply.
 */
export const runToCompletion = <T>(run: () => PromiseLike<T>): Promise<T> => withoutCaller(async () => await run());
