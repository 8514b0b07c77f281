/** Helpers for the delivery tests: a database with one organization, and local receivers. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

import { sql } from 'drizzle-orm';

import { createSealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { recordEvents } from '#server/events/record.ts';
import {
  findWebhook,
  insertWebhooks,
  type NewWebhook,
  type WebhookRow,
} from '#server/publishing/targets/webhook/rows.ts';
import type { Sender } from '#server/publishing/targets/webhook/send.ts';
import { webhookDispatcher, webhookTarget } from '#server/publishing/targets/webhook/target.ts';
import { type DeliveryWorker, startDelivery, type WorkerOptions } from '#server/publishing/worker.ts';

import { openTestDatabase } from './database.ts';

export const ORGANIZATION = 'acme';
export const NUMBER = '00C0 FFEE';
export const secrets = createSealer(Buffer.alloc(32, 7));

/** Opens a database with the organization, its health levels, a tag, and a device with this tag. */
export async function openFixture(): Promise<Database> {
  const db = await openTestDatabase();
  await fillFixture(db);
  return db;
}

/** Fills an empty, migrated database like {@link openFixture}. */
export const fillFixture = (db: Database): Promise<void> => addOrganization(db, ORGANIZATION);

/** Adds an organization. All organizations have the same ids for devices, tags, and webhooks. */
export async function addOrganization(db: Database, organization: string): Promise<void> {
  await db.orm.execute(sql`insert into organization (id, path, display_name)
    values (${organization}, array[${organization}], ${organization})`);
  await db.orm.execute(sql`insert into health_level (organization, level, severity, catch_all, color_data) values
    (${organization}, 'Healthy', 1, false, '{}'), (${organization}, 'Build up', 2, false, '{}'),
    (${organization}, 'Alarm', 3, true, '{}')`);
  await db.orm.execute(sql`insert into tag (organization, id, name, type)
    values (${organization}, 1, 'Needs visit', 'group')`);
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    values (${organization}, ${NUMBER}, 'Well 7', 3, 1, 'Healthy')`);
  await db.orm.execute(sql`insert into device_tag (organization, number, tag)
    values (${organization}, ${NUMBER}, 1)`);
}

/**
 * Opens the same database as another process would. On PostgreSQL, it has its own connections. The embedded database
 * allows only one process, so the result is `db` itself. Close the databases in `opened`.
 */
export async function openSecondDatabase(db: Database): Promise<{ secondDatabase: Database; opened: Database[] }> {
  const server = process.env['TEST_DATABASE_URL'];
  if (db.kind === 'pglite' || server === undefined) return { secondDatabase: db, opened: [] };
  const { rows } = await db.orm.execute<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(server);
  url.pathname = `/${rows[0]?.name}`;
  const secondDatabase = await openDatabase({ url: url.href });
  return { secondDatabase, opened: [secondDatabase] };
}

export async function addWebhook(db: Database, values: Partial<NewWebhook> & { url: string }): Promise<WebhookRow> {
  const key = { organization: values.organization ?? ORGANIZATION, id: values.id ?? 1 };
  await insertWebhooks(db.orm, [{ ...values, ...key }]);
  const row = await findWebhook(db.orm, key);
  if (!row) throw new Error('The webhook was not stored.');
  return row;
}

/** Stores a DEVICE_UPDATED event for each note in a single transaction. Each event contains its note. */
export async function recordTestEvents(db: Database, ...notes: string[]): Promise<void> {
  await recordTestEventsIn(db, ORGANIZATION, ...notes);
}

export async function recordTestEventsIn(db: Database, organization: string, ...notesList: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const subject = (await loadDeviceSubjects(tx, organization, [NUMBER])).get(NUMBER);
    if (!subject) throw new Error('The device is missing.');
    const time = new Date();
    await recordEvents(
      tx,
      notesList.map((notes) => deviceUpdated(subject, time, { notes, changed: ['notes'] })),
    );
  });
}

/** Creates a worker for webhooks, with the test's own sender. */
export function deliverWebhooks({
  sender,
  ...options
}: Omit<WorkerOptions, 'target' | 'dispatcher'> & { sender: Sender }): Promise<DeliveryWorker> {
  const dispatcher = webhookDispatcher({ db: options.db.orm, sender, secrets, version: 'test' });
  return startDelivery({ ...options, target: webhookTarget, dispatcher });
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly receivedAt: number;
}

export interface TestReceiver {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** The notes in the received events, in order; see `recordTestEvents`. */
  notes(): string[];
  close(): Promise<void>;
}

/** Starts an HTTP server on a free port of 127.0.0.1. By default, it responds with 204. */
export async function startReceiver(
  respond: (received: ReceivedRequest, response: ServerResponse) => void = (_, response) =>
    response.writeHead(204).end(),
): Promise<TestReceiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const entry = { path, headers, body: Buffer.concat(chunks), receivedAt: performance.now() };
      received.push(entry);
      respond(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/in`,
    received,
    notes: () => received.map(({ body }) => readNotes(body)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readNotes(body: Buffer): string {
  const event = JSON.parse(body.toString()) as { deviceUpdated?: { updatedNotes: string } };
  return event.deviceUpdated?.updatedNotes ?? '';
}
