import { randomInt } from 'node:crypto';

import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import type { Box } from '#server/db/locations.ts';
import type { Point } from '#server/db/schema/tag.ts';
import { parseMessages } from '#server/domains/data/parser/pipeline/parse.ts';
import { type IncomingMessage, ingestMessages } from '#server/domains/fleet/message/ingest.ts';

import { type SimulationSettings, BATCH_SIZE } from './limits.ts';
import { pickLocation } from './locations.ts';
import { loadSettings } from './settings.ts';

interface DueMessages extends Record<string, unknown> {
  readonly number: string;
  readonly amount: number;
  readonly seconds: number;
  readonly bodies: string[];
  readonly variable_bytes: number[];
  readonly area: Box | null;
  readonly locations: Point[] | null;
  readonly metadata: JsonObject | null;
  readonly sent: number;
  readonly next_run: string;
  readonly pause: string | null;
}

interface Run {
  readonly row: DueMessages;
  readonly messages: readonly IncomingMessage[];
  readonly nextRun: Date;
  readonly silent: boolean;
}

/**
 * Sends the messages of the devices that are due.
 *
 * @returns true if more devices may be due
 */
export async function runMessages(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  const { orm } = app.db;
  const settings = await loadSettings(orm, organization);
  const { rows } = await orm.execute<DueMessages>(sql`
    select number, coalesce(messages_per_interval, ${settings.messagesPerInterval}::int) as amount,
      coalesce(interval_seconds, ${settings.intervalSeconds}::int) as seconds, bodies, variable_bytes, area, locations,
      metadata, sent::float8 as sent, next_run::text as next_run, pause
    from message_simulation
    where organization = ${organization} and enabled and next_run <= ${now.toISOString()}::timestamptz
    order by next_run, number limit ${BATCH_SIZE.messages}`);
  if (rows.length === 0) return false;
  let slots = await countFreeSlots(app, settings, now);
  const runs = rows.map((row): Run => {
    // A device sends messages after returning, before it can fall silent again, so none is silent forever.
    const silent = slots > 0 && row.pause !== 'inactivity' && Math.random() * 100 < settings.inactivityPercentage;
    if (silent) slots -= 1;
    const seconds = silent ? randomBetween(settings.inactivityMin, settings.inactivityMax) : row.seconds;
    const messages = silent ? [] : createMessages(row, settings, now);
    return { row, messages, nextRun: new Date(now.getTime() + Math.max(1, seconds) * 1000), silent };
  });
  const created = runs.flatMap(({ messages }) => messages);
  const outcomes = await parseMessages({ ...app, db: orm }, organization, created);
  const parsed = new Map(created.map((message, index) => [message, { ...message, outcomes: outcomes[index] ?? [] }]));
  await app.db.transaction(async (tx) => {
    const claimedRuns = await claimRuns(tx, organization, runs, now);
    const messages = runs.flatMap((run) => (claimedRuns.has(run.row.number) ? run.messages : []));
    await ingestMessages(
      tx,
      organization,
      messages.map((message) => parsed.get(message) ?? message),
      now,
    );
  });
  return rows.length === BATCH_SIZE.messages;
}

/** Counts how many more devices may fall silent. */
async function countFreeSlots(app: App, { organization, inactivityPercentage }: SimulationSettings, now: Date) {
  if (inactivityPercentage === 0) return 0;
  const { rows } = await app.db.orm.execute<{ enabled: number; silent: number }>(sql`
    select count(*)::int as enabled,
      (count(*) filter (where pause = 'inactivity' and next_run > ${now.toISOString()}::timestamptz))::int as silent
    from message_simulation where organization = ${organization} and enabled`);
  const { enabled = 0, silent = 0 } = rows[0] ?? {};
  return Math.floor((enabled * inactivityPercentage) / 100) - silent;
}

/** Creates the messages of one run, a second apart and the last one sent now, unless they are delayed. */
function createMessages(row: DueMessages, settings: SimulationSettings, now: Date): IncomingMessage[] {
  return Array.from({ length: row.amount }, (_, index) => {
    const position = row.sent + index;
    const isDelayed = Math.random() * 100 < settings.delayPercentage;
    const delaySeconds = isDelayed ? randomBetween(settings.delayMin, settings.delayMax) : 0;
    const location = pickLocation(row, position);
    return {
      number: row.number,
      sentAt: new Date(now.getTime() - (row.amount - 1 - index + delaySeconds) * 1000),
      body: createBody(row, position),
      source: ModemMessage_Source.SIMULATION,
      ...(location === undefined ? {} : { location }),
      ...(row.metadata === null ? {} : { metadata: row.metadata }),
    };
  });
}

function createBody({ bodies, variable_bytes: indices }: DueMessages, position: number): Uint8Array {
  const body = new Uint8Array(Buffer.from(bodies[position % bodies.length] ?? '', 'hex'));
  for (const index of indices) if (index < body.length) body[index] = randomInt(256);
  return body;
}

const randomBetween = (low: number, high: number): number => low + Math.random() * (high - low);

/**
 * Schedules the next runs.
 *
 * @returns the devices whose run no other process has claimed, and that were not changed in the meantime
 */
async function claimRuns(tx: Tx, organization: string, runs: readonly Run[], now: Date): Promise<ReadonlySet<string>> {
  const sorted = runs.toSorted((a, b) => (a.row.number < b.row.number ? -1 : 1));
  const column = <T>(read: (run: Run) => T) => sql.param(sorted.map(read));
  const { rows } = await tx.execute<{ number: string }>(sql`
    update message_simulation as stored set
      next_run = run.next_run, last_run = ${now.toISOString()}::timestamptz, sent = stored.sent + run.amount,
      pause = case when run.silent then 'inactivity' end
    from unnest(${column(({ row }) => row.number)}::text[], ${column(({ row }) => row.next_run)}::timestamptz[],
      ${column(({ row }) => row.sent)}::bigint[], ${column(({ nextRun }) => nextRun.toISOString())}::timestamptz[],
      ${column(({ messages }) => messages.length)}::int[], ${column(({ silent }) => silent)}::bool[]
    ) as run (number, due, sent, next_run, amount, silent)
    where stored.organization = ${organization} and stored.number = run.number and stored.enabled
      and stored.next_run = run.due and stored.sent = run.sent
    returning stored.number`);
  return new Set(rows.map(({ number }) => number));
}
