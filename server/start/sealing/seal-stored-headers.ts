import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { and, eq, gt, or, sql } from 'drizzle-orm';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Log } from '#server/base/log.ts';
import { openIfSealed, type Sealer } from '#server/base/secrets.ts';
import type { Database, Orm } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisherCall } from '#server/db/schema/publisher.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { eventJson } from '#server/events/json.ts';
import { sealHeaders } from '#server/publishing/targets/webhook/headers.ts';

import { migrateDataOnce } from './data-migration.ts';
import { withoutCredentials } from './publisher-credentials.ts';

const BATCH_SIZE = 200;

const publisherTypes = [
  EventType.PUBLISHER_CREATED,
  EventType.PUBLISHER_UPDATED,
  EventType.PUBLISHER_DELETED,
  EventType.PUBLISHER_FAILED,
] as const;

/**
 * Encrypts the values of custom headers, which earlier releases stored in plaintext in webhooks, in events about
 * publishers, and in the call history. SQL cannot do this migration, because it needs the sealing key. Runs before the
 * server accepts calls.
 *
 * Each step is idempotent, so if the server is killed, the next startup repeats the migration. Only the last step sets
 * the mark that makes later startups skip it. Each batch is one transaction.
 */
export async function sealStoredHeaders(db: Database, secrets: Sealer, log: Log): Promise<void> {
  let sealedCount = 0;
  const wasInterrupted = await migrateDataOnce(db, {
    mark: 'header-values-sealed',
    tables: ['webhook', 'event', 'publisher_call'],
    async migrate(orm) {
      sealedCount = await sealWebhooks(orm, secrets);
      const rewrittenCount = (await rewriteEvents(orm)) + (await rewriteCalls(orm));
      return sealedCount + rewrittenCount > 0;
    },
  });
  if (sealedCount > 0 || wasInterrupted) {
    log.warn(
      'The previous release stored the values of custom headers in plaintext. They are encrypted now, but backups still ' +
        'contain them, and they were sent to receivers of publisher events. Replace any credentials in them.',
    );
  }
}

/** Seals all webhooks in one transaction. A value that this key decrypts is already sealed. */
async function sealWebhooks(orm: Orm, secrets: Sealer): Promise<number> {
  return orm.transaction(async (tx) => {
    const rows = await tx
      .select({ organization: webhook.organization, id: webhook.id, headers: webhook.customHeaders })
      .from(webhook)
      .where(sql`${webhook.customHeaders} <> '{}'::jsonb`)
      .for('update');
    let sealedCount = 0;
    for (const { organization, id, headers } of rows) {
      const plaintext = Object.entries(headers).filter(([, value]) => openIfSealed(secrets, value) === undefined);
      if (plaintext.length === 0) continue;
      const customHeaders = { ...headers, ...sealHeaders(secrets, Object.fromEntries(plaintext)) };
      await tx
        .update(webhook)
        .set({ customHeaders })
        .where(and(eq(webhook.organization, organization), eq(webhook.id, id)));
      sealedCount += 1;
    }
    return sealedCount;
  });
}

interface RowKey {
  readonly organization: string;
  readonly time: Date;
  readonly id: number;
}

/**
 * Calls `rewrite` with batches of rows in key order.
 *
 * @returns the number of changed rows
 */
async function rewriteInBatches<Row extends RowKey>(
  nextBatch: (after: RowKey | undefined) => Promise<Row[]>,
  rewrite: (rows: readonly Row[]) => Promise<number>,
): Promise<number> {
  let changedCount = 0;
  let after: RowKey | undefined;
  for (;;) {
    const rows = await nextBatch(after);
    changedCount += await rewrite(rows);
    after = rows.at(-1);
    if (after === undefined || rows.length < BATCH_SIZE) return changedCount;
  }
}

/** Matches rows with a greater key, compared column by column to use an index. */
function hasGreaterKey(table: typeof event | typeof publisherCall, after: RowKey | undefined) {
  if (after === undefined) return undefined;
  const { organization, time, id } = table;
  return or(
    gt(organization, after.organization),
    and(eq(organization, after.organization), or(gt(time, after.time), and(eq(time, after.time), gt(id, after.id)))),
  );
}

function rewriteEvents(orm: Orm): Promise<number> {
  const types = sql.raw(publisherTypes.join());
  return rewriteInBatches(
    (after) =>
      orm
        .select({ organization: event.organization, time: event.time, id: event.id, body: event.body })
        .from(event)
        .where(and(sql`${event.type} in (${types})`, hasGreaterKey(event, after)))
        .orderBy(event.organization, event.time, event.id)
        .limit(BATCH_SIZE),
    (rows) =>
      orm.transaction(async (tx) => {
        let changedCount = 0;
        for (const { organization, time, id, body } of rows) {
          const cleanEvent = withoutCredentials(fromBinary(EventSchema, body));
          if (cleanEvent === undefined) continue;
          await tx
            .update(event)
            .set({ body: Buffer.from(toBinary(EventSchema, cleanEvent)), description: cleanEvent.description })
            .where(and(eq(event.organization, organization), eq(event.time, time), eq(event.id, id)));
          changedCount += 1;
        }
        return changedCount;
      }),
  );
}

/** The headers that the server sets itself, in lowercase. The history can keep their values. */
const ownHeaders = ['content-type', 'x-quarterdeck-event', 'x-quarterdeck-delivery', 'x-hub-signature'];

/**
 * Removes header values and responses from the history. The history does not record which headers were custom, so only
 * known headers keep their values. The quoted responses can contain anything that was sent.
 */
async function rewriteCalls(orm: Orm): Promise<number> {
  const ownHeaderList = sql.raw(ownHeaders.map((name) => `'${name}'`).join());
  const { rowCount } = await orm.execute(sql`
    update publisher_call c set
      headers = (select coalesce(jsonb_object_agg(key,
          case when lower(key) in (${ownHeaderList}) or (lower(key) = 'user-agent' and value like 'Quarterdeck/%')
            then value else '' end), '{}')
        from jsonb_each_text(c.headers)),
      error = regexp_replace(error, '^(HTTP [0-9]{3}): (?!the receiver redirects).*$', '\\1')
    where exists (select 1 from jsonb_each_text(c.headers)
        where value <> '' and lower(key) not in (${ownHeaderList}) and not (lower(key) = 'user-agent' and value like 'Quarterdeck/%'))
      or error ~ '^HTTP [0-9]{3}: (?!the receiver redirects)'`);
  return (rowCount ?? 0) + (await rewriteBodies(orm));
}

function rewriteBodies(orm: Orm): Promise<number> {
  return rewriteInBatches(
    (after) =>
      orm
        .select({
          organization: publisherCall.organization,
          time: publisherCall.time,
          id: publisherCall.id,
          body: publisherCall.bodyProto,
        })
        .from(publisherCall)
        .where(
          and(
            sql`${publisherCall.headers} ->> 'X-Quarterdeck-Event' like 'PUBLISHER\\_%'`,
            hasGreaterKey(publisherCall, after),
          ),
        )
        .orderBy(publisherCall.organization, publisherCall.time, publisherCall.id)
        .limit(BATCH_SIZE),
    (rows) =>
      orm.transaction(async (tx) => {
        let changedCount = 0;
        for (const { organization, time, id, body } of rows) {
          const cleanEvent = withoutCredentials(fromBinary(EventSchema, body));
          if (cleanEvent === undefined) continue;
          await tx
            .update(publisherCall)
            .set({
              bodyProto: Buffer.from(toBinary(EventSchema, cleanEvent)),
              bodyJson: JSON.stringify(eventJson(cleanEvent)),
            })
            .where(
              and(eq(publisherCall.organization, organization), eq(publisherCall.time, time), eq(publisherCall.id, id)),
            );
          changedCount += 1;
        }
        return changedCount;
      }),
  );
}
