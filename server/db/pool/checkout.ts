import type pg from 'pg';

/**
 * Asks the database to cancel a connection's running statement. Resolves once the database has received the request.
 */
export type CancelStatement = (client: pg.PoolClient) => Promise<void>;

interface CheckoutOptions {
  /** Aborts when the caller who uses the connection hangs up. */
  readonly signal?: AbortSignal;
  readonly cancel?: CancelStatement | undefined;
  /** True if the checkout is for a single statement, which runs from checkout to release. */
  readonly singleStatement?: boolean;
  /** True to close the connection afterwards instead of reusing it. */
  readonly discard?: boolean;
}

/** Statements that end a transaction. They are never canceled: it would be unclear whether a COMMIT took effect. */
const ENDS_TRANSACTION = /^\s*(commit|rollback|end|abort)\b/i;
const ROLLS_BACK = /^\s*(rollback|abort)\b/i;

/**
 * One use of a pooled connection, from `connect` to `release`.
 *
 * When `signal` aborts, the running statement is canceled and all later ones except ROLLBACK are rejected, so a
 * transaction is undone as a whole. The database rejects those that were already sent. A connection is closed if its
 * statement was canceled, because a late cancellation would otherwise hit the statement of the connection's next user.
 */
export class Checkout {
  readonly client: pg.PoolClient;
  readonly #options: CheckoutOptions;
  /** The statements that were sent but have not ended, which a transaction can have several of. */
  readonly #running = new Set<{ readonly text: string }>();
  #canceling = false;

  constructor(client: pg.PoolClient, options: CheckoutOptions = {}) {
    this.client = client;
    this.#options = options;
    if (options.singleStatement) this.#running.add({ text: 'the only statement' });
    const restore =
      options.signal === undefined || options.singleStatement ? undefined : this.#watchQueries(options.signal);
    const release = client.release;
    // The pool listens for lost connections only while they are idle, and an error without a listener would end the
    // process. The running statement, or the next one, fails with the same error.
    const ignoreError = (): void => undefined;
    client.on('error', ignoreError);
    options.signal?.addEventListener('abort', this.#abort);
    client.release = (error) => {
      options.signal?.removeEventListener('abort', this.#abort);
      client.off('error', ignoreError);
      restore?.();
      release(this.#canceling || options.discard === true ? true : error);
    };
  }

  readonly #abort = (): void => {
    const { cancel } = this.#options;
    const texts = [...this.#running].map(({ text }) => text);
    if (cancel === undefined || texts.length === 0 || texts.some((text) => ENDS_TRANSACTION.test(text))) return;
    this.#canceling = true;
    // If canceling fails, the statement still ends at its time limit.
    void cancel(this.client).catch(() => undefined);
  };

  /** Watches the queries of the connection until the returned function is called. */
  #watchQueries(signal: AbortSignal): () => void {
    const { client } = this;
    // Inherited from the class; a watched connection has its own method.
    const originalQuery = client.query;
    const watchedQuery = async (...args: unknown[]): Promise<unknown> => {
      const text = textOf(args[0]);
      if (signal.aborted && !ROLLS_BACK.test(text)) throw signal.reason;
      const statement = { text };
      this.#running.add(statement);
      try {
        return await (Reflect.apply(originalQuery, client, args) as Promise<unknown>);
      } finally {
        this.#running.delete(statement);
      }
    };
    client.query = watchedQuery as unknown as typeof originalQuery;
    return () => void (client.query = originalQuery);
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
