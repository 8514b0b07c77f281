// Migrates a database in which the newest value of a field hides an older one that isn't operational.
import { expect, test } from 'vitest';

import { openEarlierDatabase } from '#server/testkit/database.ts';

import { migrate } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';

const now = new Date('2026-11-20T12:00:00Z');

test('fields whose values were operational only some of the time get a second newest value', async () => {
  const db = await openEarlierDatabase('0031_file_draft');
  try {
    await ensurePartitions(db.pool, now);
    const columns = 'organization, number, field, time, message, parser, type, numeric_type, "numeric", operational';
    await db.pool.query(`
      insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme');
      insert into health_level (organization, level, severity, catch_all, color_data)
        values ('acme', 'Healthy', 1, true, '{}');
      insert into device (organization, number, name, lifecycle, health_level) values ('acme', '1', '1', 2, 'Healthy');
      insert into value (${columns}) values
        ('acme', '1', 'level', '2026-11-01', 1, 'p', 1, 6, 10, false),
        ('acme', '1', 'level', '2026-11-02', 2, 'p', 1, 6, 20, false),
        ('acme', '1', 'level', '2026-11-03', 3, 'p', 1, 6, 30, true),
        ('acme', '1', 'level', '2026-11-04', 4, 'p', 1, 6, 40, true),
        ('acme', '1', 'level', '2026-11-04', 5, 'p', 1, 6, 50, true),
        ('acme', '1', 'pressure', '2026-11-04', 4, 'p', 1, 7, 60, false),
        ('acme', '1', 'pressure', '2026-11-03', 3, 'p', 1, 7, 70, false),
        -- The values of a deleted device.
        ('acme', '2', 'level', '2026-11-01', 6, 'p', 1, 6, 80, false),
        ('acme', '2', 'level', '2026-11-02', 7, 'p', 1, 6, 90, true);
      insert into latest_value (${columns}) select distinct on (field) ${columns} from value
       where number = '1' order by field, time desc, message desc`);
    await migrate(db, now);
    const { rows } = await db.pool.query(
      'select number, field, "numeric", operational from latest_value order by "numeric"',
    );
    expect(rows).toEqual([
      { number: '1', field: 'level', numeric: 20, operational: false },
      { number: '1', field: 'level', numeric: 50, operational: true },
      { number: '1', field: 'pressure', numeric: 60, operational: false },
    ]);
  } finally {
    await db.close();
  }
});
