import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';

import { naturalOrder } from '#server/db/schema/columns.ts';
import { tag } from '#server/db/schema/tag.ts';

/**
 * Joins items with the names of their tags of one type, as a table named after the type. Joins once for all items
 * because a lookup per item would take seconds in a large fleet.
 *
 * @param link the table that links the items to their tags, with its column for the item's key
 * @param key the item's own key column
 * @param only the keys of the items to join, instead of all
 */
export function tagNameJoin(
  type: string,
  organizations: readonly string[],
  link: { readonly table: PgTable; readonly item: AnyPgColumn },
  key: AnyPgColumn,
  only?: readonly string[],
): SQL {
  const alias = sql.identifier(type);
  return sql`left join (
    select link.organization, link.${sql.identifier(link.item.name)} as key, min(${naturalOrder(sql`label.name`)}) as name
      from ${link.table} link join ${tag} label on label.organization = link.organization and label.id = link.tag
     where link.organization = any(${sql.param([...organizations])}::text[]) and label.type = ${type}
       and ${only === undefined ? sql`true` : sql`link.${sql.identifier(link.item.name)} = any(${sql.param([...only])}::text[])`}
     group by 1, 2
  ) as ${alias} on ${alias}.organization = ${key.table}.organization and ${alias}.key = ${key}`;
}
