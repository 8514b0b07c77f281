import { type SQL, sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { openValue } from '#server/domains/data/parser/model/sealed-value.ts';
import type { Page } from '#server/wire/pagination.ts';

import { selectLists, toRows, type ValueColumns, type ValueLists } from './query.ts';

type Loaded = ValueLists & Record<string, unknown>;

type Database = Pick<App, 'db' | 'secrets'>;

/** A page of values, and the number of values on all pages. */
export interface ValuePage {
  readonly rows: readonly ValueColumns[];
  readonly total: number;
}

/** Loads the values of a query, in order. */
export async function loadValues({ db, secrets }: Database, query: SQL): Promise<ValueColumns[]> {
  const { rows } = await db.orm.execute<Loaded>(sql`select ${selectLists} from (${query}) as value`);
  return rows.flatMap((lists) => openValues(secrets, toRows(lists)));
}

/** Loads a page of a query and counts its rows. */
export async function loadPage(
  { db, secrets }: Database,
  query: SQL,
  order: SQL,
  { limit, offset }: Page,
): Promise<ValuePage> {
  const { rows } = await db.orm.execute<Loaded & { total: number }>(sql`
    with value as materialized (${query})
    select ${selectLists}, (select count(*)::int from value) as total
      from (select * from value order by ${order} limit ${limit} offset ${offset}) as page`);
  return { rows: rows.flatMap((lists) => openValues(secrets, toRows(lists))), total: rows[0]?.total ?? 0 };
}

/** Decrypts the sealed values. */
export const openValues = (secrets: App['secrets'], rows: readonly ValueColumns[]): ValueColumns[] =>
  rows.map((row) => openValue(secrets, row));
