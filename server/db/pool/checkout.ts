import type pg from 'pg';

/** Asks the server to cancel what a connection is running. Resolves once the server has been told. */
export type CancelStatement = (client: pg.PoolClient) => Promise<void>;

interface CheckoutOptions {
  /** Aborts when whoever uses the connection has gone. */
  readonly signal?: AbortSignal;
  readonly cancel?: CancelStatement | undefined;
  /** The checkout is for one statement, which runs from now until the release. */
  readonly single?: boolean;
  /** Close the connection afterwards instead of using it again. */
  readonly discard?: boolean;
}

/** What ends a transaction. It is never cancelled: half of a COMMIT would leave nobody knowing which half. */
const ENDS = /^\s*(commit|rollback|end|abort)\b/i;
const UNDOES = /^\s*(rollback|abort)\b/i;

/**
 * One use of a pooled connection, from `connect` to `release`.
 *
 * When `signal` aborts, the running statement is cancelled, and further ones are refused except ROLLBACK, so that a
 * transaction is undone as a whole. A connection that was sent a cancellation is closed, as a late one would otherwise
 * hit the statement of whoever uses the connection next.
 */
export class Checkout {
  readonly client: pg.PoolClient;
  readonly #options: CheckoutOptions;
  #running: string | undefined;
  #cancelling = false;

  constructor(client: pg.PoolClient, options: CheckoutOptions = {}) {
    this.client = client;
    this.#options = options;
    this.#running = options.single ? 'the only statement' : undefined;
    const restore = options.signal === undefined || options.single ? undefined : this.#watchQueries(options.signal);
    const release = client.release;
    // The pool listens for lost connections only while they are idle; without a listener one would end the process.
    // The statement that runs, or the next one, fails with the same error.
    const lost = (): void => undefined;
    client.on('error', lost);
    options.signal?.addEventListener('abort', this.#abort);
    client.release = (error) => {
      options.signal?.removeEventListener('abort', this.#abort);
      client.off('error', lost);
      restore?.();
      release(this.#cancelling || options.discard === true ? true : error);
    };
  }

  readonly #abort = (): void => {
    const { cancel } = this.#options;
    if (cancel === undefined || this.#running === undefined || ENDS.test(this.#running)) return;
    this.#cancelling = true;
    // Not told: the statement ends at its time limit.
    void cancel(this.client).catch(() => undefined);
  };

  /** @returns what ends the watching */
  #watchQueries(signal: AbortSignal): () => void {
    const { client } = this;
    // The method of the class; while it is watched the connection has one of its own.
    const original = client.query;
    const watched = async (...args: unknown[]): Promise<unknown> => {
      const text = textOf(args[0]);
      if (signal.aborted && !UNDOES.test(text)) throw signal.reason;
      this.#running = text;
      try {
        return await (Reflect.apply(original, client, args) as Promise<unknown>);
      } finally {
        this.#running = undefined;
      }
    };
    client.query = watched as unknown as typeof original;
    return () => void (client.query = original);
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
