/**
 * A webhook is a publisher (schema/publisher.ts) with additional settings. This module reads and writes both as one
 * row.
 */
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { preparedOnce } from '#server/db/prepared.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { webhook } from '#server/db/schema/webhook.ts';

export type WebhookRow = typeof publisher.$inferSelect & typeof webhook.$inferSelect;
export type WebhookValues = Omit<Partial<WebhookRow>, 'organization' | 'id' | 'kind'>;
export type NewWebhook = Omit<typeof publisher.$inferInsert, 'kind'> & typeof webhook.$inferInsert;

/** The publisher kind for webhooks. */
export const WEBHOOK_KIND = 'webhook';

const isPublisher = and(eq(publisher.organization, webhook.organization), eq(publisher.id, webhook.id));

/** For statements not built by drizzle's select: `select … from ${webhooks}`. */
export const webhooks = sql`${webhook} join ${publisher} on ${isPublisher}`;

const columns = { ...getTableColumns(publisher), ...getTableColumns(webhook) };

/**
 * Selects webhooks with their publisher.
 *
 * @param extraColumns additional columns to select
 */
export const selectWebhooks = <Extra extends Record<string, SQL>>(db: Executor, extraColumns = {} as Extra) =>
  db
    .select({ ...columns, ...extraColumns })
    .from(webhook)
    .innerJoin(publisher, isPublisher);

const webhookByKey = preparedOnce((db) =>
  selectWebhooks(db)
    .where(and(eq(webhook.organization, sql.placeholder('organization')), eq(webhook.id, sql.placeholder('id'))))
    .prepare('webhook'),
);

export async function findWebhook(
  db: Executor,
  { organization, id }: Pick<WebhookRow, 'organization' | 'id'>,
): Promise<WebhookRow | undefined> {
  const [row] = await webhookByKey(db).execute({ organization, id });
  return row;
}

/** Inserts into both tables; drizzle ignores the other table's columns. */
export async function insertWebhooks(db: Executor, rows: readonly NewWebhook[]): Promise<void> {
  if (rows.length === 0) return;
  await db.insert(publisher).values(rows.map((row) => ({ ...row, kind: WEBHOOK_KIND })));
  await db.insert(webhook).values([...rows]);
}

export async function updateWebhook(
  db: Executor,
  { organization, id }: Pick<WebhookRow, 'organization' | 'id'>,
  values: WebhookValues,
): Promise<void> {
  for (const table of [publisher, webhook]) {
    const tableValues = Object.fromEntries(
      Object.entries(values).filter(([column]) => column in getTableColumns(table)),
    );
    if (Object.keys(tableValues).length === 0) continue;
    await db
      .update(table)
      .set(tableValues)
      .where(and(eq(table.organization, organization), eq(table.id, id)));
  }
}
