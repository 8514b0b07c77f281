import { expect, test } from 'vitest';

import { startPglite } from './pglite.ts';

test('keeps the session of a connection when an earlier connection ends', async () => {
  const pglite = await startPglite();
  const [firstConnection, secondConnection] = [pglite.connect(), pglite.connect()];
  try {
    await firstConnection.pool.query('select 1');
    await secondConnection.pool.query('prepare kept as select 2 as answer');
    await firstConnection.close();
    const { rows } = await secondConnection.pool.query('execute kept');
    expect(rows).toEqual([{ answer: 2 }]);
  } finally {
    await secondConnection.close();
    await pglite.stop();
  }
});
