import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestDatabase } from '#server/testkit/database.ts';

import { anyOf, inOrganizations, noneOf } from './any-of.ts';
import type { Database } from './database.ts';
import { naturalOrder } from './schema/columns.ts';
import { organization } from './schema/organization.ts';
import { processPoint } from './schema/process-point.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.orm
    .insert(organization)
    .values(['acme', 'borealis', 'northwind'].map((id) => ({ id, path: [id], displayName: id })));
});
afterAll(() => db.close());

const ids = async (condition: ReturnType<typeof anyOf>): Promise<string[]> => {
  const rows = await db.orm.select({ id: organization.id }).from(organization).where(condition);
  return rows.map(({ id }) => id).toSorted();
};

test('matches none, one, or several values', async () => {
  expect(await ids(anyOf(organization.id, []))).toEqual([]);
  expect(await ids(anyOf(organization.id, ['acme']))).toEqual(['acme']);
  expect(await ids(anyOf(organization.id, ['borealis', 'acme', 'borealis']))).toEqual(['acme', 'borealis']);
  for (const organizations of [[], ['acme'], ['acme', 'borealis']])
    expect(await ids(inOrganizations(organization.id, organizations))).toEqual(organizations);
  expect(await ids(noneOf(organization.id, ['acme']))).toEqual(['borealis', 'northwind']);
  expect(await ids(noneOf(organization.id, []))).toEqual(['acme', 'borealis', 'northwind']);
});

test('lets an index order the rows of a single organization', async () => {
  const plan = await db.orm.transaction(async (tx) => {
    // There are too few rows for the planner to prefer an index.
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    await tx.execute(sql`set local enable_sort = off`);
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`
      explain select ${processPoint.identifier} from ${processPoint}
       where ${inOrganizations(processPoint.organization, ['northwind'])}
       order by ${naturalOrder(processPoint.name)}, ${processPoint.identifier} limit 10`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('process_point_order');
  expect(plan).not.toContain('Sort');
});
