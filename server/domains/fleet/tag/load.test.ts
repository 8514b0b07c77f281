// Tests that tags kept in memory always equal those in the database, whatever changes them.
import { create } from '@bufbuild/protobuf';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Tag, TagSchema } from '#proto/gen/hiber/tag_pb.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { type Random, createRandom } from '#server/demo/seed/random.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { loadTags } from './load.ts';
import { TagCache } from './tag-cache.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const loadAll = (): Promise<readonly Tag[]> => loadTags(t.app.db, organization, undefined);
/** Tags that match a condition are never kept. */
const loadFromDatabase = (): Promise<readonly Tag[]> => loadTags(t.app.db, organization, sql`true`);

function randomChange(random: Random): SQL {
  const id = sql`(select id from tag where organization = ${organization} order by md5(id || ${String(random.integer(0, 1e9))}) limit 1)`;
  const one = sql`organization = ${organization} and id = ${id}`;
  const name = `Tag ${random.integer(0, 1e9)}`;
  const changes = [
    sql`update tag set name = ${name} where ${one}`,
    sql`update tag set priority = ${random.integer(0, 5)} where ${one}`,
    sql`update tag set location = null where ${one}`,
    sql`update tag set location = '{"kind": "point", "point": {"latitude": 52, "longitude": 5}}' where ${one}`,
    sql`delete from tag where ${one}`,
    sql`insert into tag (organization, id, name, type) select ${organization}, max(id) + 1, ${name}, 'site' from tag`,
    // The same number of tags as before.
    sql`with deleted as (delete from tag where ${one} returning *)
      insert into tag (organization, id, name, type)
      select organization, (select max(id) + 1 from tag), ${name}, type from deleted`,
  ];
  return random.pick(changes);
}

describe('all tags of an organization', () => {
  test('are those of the database after each change, and after changes that were undone', async () => {
    const random = createRandom('tags');
    const seen = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const isUndone = random.integer(0, 4) === 0;
      await t.app.db
        .transaction(async (tx) => {
          const count = random.integer(1, 3);
          for (let index = 0; index < count; index += 1) await tx.execute(randomChange(random));
          if (isUndone) throw new Error('undone');
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
      const tags = await loadAll();
      expect(tags).toEqual(await loadFromDatabase());
      seen.add(tags.map(({ id, label }) => `${id} ${label?.name}`).join());
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  test('are not read again while nothing changes', async () => {
    const tags = await loadAll();
    const transaction = vi.spyOn(t.app.db, 'transaction');
    expect(await loadAll()).toBe(tags);
    expect(transaction).not.toHaveBeenCalled();
    transaction.mockRestore();
  });

  test('include their files after each change of a file', async () => {
    const filesOfTags = async () => {
      const tags = await loadAll();
      expect(tags).toEqual(await loadFromDatabase());
      return tags.flatMap(({ metadata }) => metadata?.files.map(({ name }) => name) ?? []);
    };
    expect(await filesOfTags()).toEqual([]);
    const { orm } = t.app.db;
    await orm.execute(sql`insert into file (organization, identifier, name, media_type)
      values (${organization}, 'plan', 'plan.csv', 'text/csv')`);
    await orm.execute(sql`insert into tag_file (organization, tag, file)
      select organization, min(id), 'plan' from tag where organization = ${organization} group by 1`);
    expect(await filesOfTags()).toEqual(['plan.csv']);
    await orm.execute(sql`update file set name = 'map.csv' where organization = ${organization}`);
    expect(await filesOfTags()).toEqual(['map.csv']);
    await orm.execute(sql`delete from tag_file where organization = ${organization}`);
    expect(await filesOfTags()).toEqual([]);
  });

  test("are the organization's own", async () => {
    expect(await loadTags(t.app.db, 'nowhere', undefined)).toEqual([]);
    expect((await loadAll()).length).toBeGreaterThan(0);
  });
});

test('a cache forgets the least recently used tags, and keeps none that exceed its size', () => {
  const cache = new TagCache(10);
  const list = (count: number) => ({ state: '', tags: Array.from({ length: count }, () => create(TagSchema)) });
  const kept = () => ['a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined).join('');
  cache.set('a', list(3));
  cache.set('b', list(3));
  expect(kept()).toBe('ab');
  cache.get('a');
  cache.set('c', list(3));
  expect(kept()).toBe('ac');
  cache.set('a', undefined);
  expect(kept()).toBe('c');
  cache.set('d', list(10));
  expect(kept()).toBe('c');
  cache.set('c', list(0));
  cache.set('d', list(8));
  expect(kept()).toBe('cd');
});
