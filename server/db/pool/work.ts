import { AsyncLocalStorage } from 'node:async_hooks';
import type { Use } from './turns.ts';

/**
 * On whose behalf statements run, which decides how long they may take. Outside of both kinds (deliveries, mails,
 * streams) the ordinary limits apply and nothing cancels a statement.
 */
interface Work extends Use {
  /** Aborts when the caller hangs up or its deadline passes. Undefined for upkeep, which has no limits. */
  readonly signal: AbortSignal | undefined;
  /** It has ended. Timers and connections that it left behind still carry it, and must not be cancelled with it. */
  over: boolean;
}

const store = new AsyncLocalStorage<Work>();

export function currentWork(): Work | undefined {
  const work = store.getStore();
  return work?.over === true ? undefined : work;
}

async function within<T>(work: Work, run: () => PromiseLike<T>): Promise<T> {
  try {
    // Awaited inside: a query of the ORM is only sent once somebody waits for it.
    return await store.run(work, async () => await run());
  } finally {
    work.over = true;
  }
}

/**
 * Runs `run` for a caller: once `signal` aborts, its statements are cancelled and no further ones are sent.
 *
 * @param account whose other calls it shares the database with (turns.ts)
 */
export const forCaller = <T>(signal: AbortSignal, run: () => PromiseLike<T>, account?: string): Promise<T> =>
  within({ signal, account, usedMs: 0, over: false }, run);

/** Runs `run` without time limits. For migrations, seeding and upkeep, whose statements may rightly take minutes. */
export const withoutTimeLimit = <T>(run: () => PromiseLike<T>): Promise<T> =>
  within({ signal: undefined, usedMs: 0, over: false }, run);

/** Runs `run` on nobody's behalf, for what outlives the call that happens to need it first, such as a connection. */
export const onNobodysBehalf = <T>(run: () => T): T => store.exit(run);

/**
 * Runs `run` to its end although the caller may hang up meanwhile: for statements that record what cannot be taken
 * back, such as a call that was made or an account elsewhere, and for what several callers share. The ordinary limits
 * apply.
 */
export const seenThrough = <T>(run: () => PromiseLike<T>): Promise<T> => onNobodysBehalf(async () => await run());
