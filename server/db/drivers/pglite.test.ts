import { expect, test } from 'vitest';

import { startPglite } from './pglite.ts';

test('keeps the session of a connection when an earlier connection ends', async () => {
  const pglite = await startPglite();
  const [earlier, later] = [pglite.connect(), pglite.connect()];
  try {
    await earlier.pool.query('select 1');
    await later.pool.query('prepare kept as select 2 as answer');
    await earlier.close();
    const { rows } = await later.pool.query('execute kept');
    expect(rows).toEqual([{ answer: 2 }]);
  } finally {
    await later.close();
    await pglite.stop();
  }
});
