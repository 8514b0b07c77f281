import pg from 'pg';

// int8 (ids, counts) as a number: every id is made here and stays a safe integer (spec 5).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that says what is likely wrong when no connection comes free. */
export class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        throw explained(error);
      });
    }
    super.connect((error, client, done) => callback(error && explained(error), client, done));
  }
}

function explained(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  if (!known.message.startsWith('timeout exceeded when trying to connect')) return known;
  return new Error(
    'No database connection came free in time. Either the database is overloaded, or code inside a transaction used ' +
      'the pool instead of its tx.',
    { cause: known },
  );
}
