import pg from 'pg';

import { DatabaseBusyError } from '#server/db/database.ts';
import { timeouts } from '#server/db/limits.ts';

import { type CancelStatement, Checkout } from './checkout.ts';
import { SharedTurn } from './shared-turn.ts';
import { Turns } from './turns.ts';
import { currentWork, type Work, withoutCaller } from './work.ts';

// Reads int8 (ids, counts) as a number. The server creates every id and keeps it a safe integer (spec 5).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: boolean | Error) => void,
) => void;

export interface PoolHooks {
  /** Cancels the running statement of a connection. If unset, statements always run to completion. */
  readonly cancel?: CancelStatement;
  /** Removes the time limits of a connection, for maintenance. */
  readonly liftLimits?: (client: pg.PoolClient) => Promise<void>;
}

const busyError = () =>
  new DatabaseBusyError(
    'No database connection became free in time. Either the database is overloaded, or code inside a transaction used ' +
      'the pool instead of its tx.',
  );

/**
 * A connection pool that is fair to callers (work.ts). Connections go to the account that has used the database least
 * (turns.ts). Callers who hang up get none, and their running statements are canceled. Maintenance gets connections
 * without time limits.
 *
 * If there is a single connection, the statements that a call requests at once share a turn (shared-turn.ts).
 */
export class FairPool extends pg.Pool {
  readonly #hooks: PoolHooks;
  readonly #turns: Turns;
  /** The statements that wait for a connection, for each call. */
  readonly #waiting = new Map<Work, SharedTurn>();

  constructor(config: pg.PoolConfig & { max: number }, hooks: PoolHooks = {}) {
    // Sends statements before the responses to earlier ones arrive, so a transaction that reads several things at once
    // waits only once.
    super({ pipeline: true, ...config });
    this.#hooks = hooks;
    this.#turns = new Turns({ slots: config.max, maxWaitMs: timeouts.acquire, busyError });
  }

  // The result has the type that the overloads of pg.Pool say.
  override query(...args: unknown[]): never {
    const work = currentWork();
    const sharesTurn = this.options.max === 1 && work !== undefined && typeof args.at(-1) !== 'function';
    return (sharesTurn ? this.#queryTogether(work, args) : Reflect.apply(super.query, this, args)) as never;
  }

  #queryTogether(work: Work, args: readonly unknown[]): Promise<unknown> {
    const existing = this.#waiting.get(work);
    if (existing !== undefined) return existing.add(args);
    const turn = new SharedTurn();
    this.#waiting.set(work, turn);
    const result = turn.add(args);
    void turn.run(
      () => this.connect(),
      () => this.#waiting.delete(work),
    );
    return result;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    // The pool's own `query` passes a callback, for a single statement, and detects lost connections itself.
    if (callback === undefined) return this.#acquire(false);
    void this.#handOut(callback);
  }

  async #handOut(callback: Callback): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.#acquire(true);
    } catch (error) {
      callback(error as Error, undefined, () => undefined);
      return;
    }
    callback(undefined, client, client.release);
  }

  async #acquire(singleStatement: boolean): Promise<pg.PoolClient> {
    const work = currentWork();
    const signal = work?.signal;
    const endTurn = await this.#turns.take(work, signal);
    const pendingClient = withoutCaller(() => super.connect()).then(
      (client) => endTurnOnRelease(client, endTurn),
      (error: unknown) => {
        endTurn();
        throw error;
      },
    );
    if (work === undefined) return new Checkout(await pendingClient).client;
    if (signal === undefined) return this.#withoutLimits(await pendingClient);
    const client = await connectOrAbort(pendingClient, signal);
    return new Checkout(client, { signal, cancel: this.#hooks.cancel, singleStatement }).client;
  }

  async #withoutLimits(client: pg.PoolClient): Promise<pg.PoolClient> {
    if (this.#hooks.liftLimits === undefined) return new Checkout(client).client;
    try {
      await this.#hooks.liftLimits(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return new Checkout(client, { discard: true }).client;
  }
}

/** Stops waiting when the caller hangs up. The connection is then released unused as soon as it is available. */
async function connectOrAbort(pending: Promise<pg.PoolClient>, signal: AbortSignal): Promise<pg.PoolClient> {
  let onAbort: () => void = () => undefined;
  const abortPromise = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([pending, abortPromise]);
  } catch (error) {
    pending.then(
      (client) => client.release(),
      () => undefined, // Nobody is waiting for this connection anymore.
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Ends the turn when the connection is released. The pool gives a connection a new `release` for every use. */
function endTurnOnRelease(client: pg.PoolClient, endTurn: () => void): pg.PoolClient {
  const release = client.release;
  client.release = (error) => {
    release(error);
    endTurn();
  };
  return client;
}
