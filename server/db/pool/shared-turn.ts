import type pg from 'pg';

/** The arguments of a query, and the callbacks of its promise. */
interface Statement {
  readonly args: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Statements of a call that wait for the same connection. They are sent one after the other without waiting for the
 * responses in between, so the database runs the next one while this process reads the result of the one before.
 */
export class SharedTurn {
  readonly #statements: Statement[] = [];

  add(args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => this.#statements.push({ args, resolve, reject }));
  }

  /**
   * Sends the statements as soon as there is a connection. No statement can be added afterwards.
   *
   * @param connect gets the connection, which is released when all statements have ended
   * @param onConnect called before the statements are sent, or if there is no connection
   */
  async run(connect: () => Promise<pg.PoolClient>, onConnect: () => void): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await connect();
    } catch (error) {
      for (const { reject } of this.#statements) reject(error);
      return;
    } finally {
      onConnect();
    }
    let hasFailed = false;
    const pending = this.#statements.map(async ({ args, resolve, reject }) => {
      try {
        resolve(await (Reflect.apply(client.query, client, args) as Promise<unknown>));
      } catch (error) {
        hasFailed = true;
        reject(error);
      }
    });
    await Promise.all(pending);
    // As in the pool's own `query`, a connection is not reused after an error.
    client.release(hasFailed);
  }
}
