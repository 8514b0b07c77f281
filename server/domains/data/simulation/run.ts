import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { Tx } from '#server/db/database.ts';
import type { Box } from '#server/db/locations.ts';
import type { Point } from '#server/db/schema/tag.ts';
import { sealValue } from '#server/domains/data/parser/model/sealed-value.ts';
import type { ExtractedValue } from '#server/domains/data/parser/pipeline/extract.ts';
import { parseMessages } from '#server/domains/data/parser/pipeline/parse.ts';
import { storeValues } from '#server/domains/data/parser/pipeline/store.ts';
import { deviceLocationUpdated } from '#server/domains/fleet/device/model/events.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { type IncomingMessage, ingestMessages, lockAvailableDevices } from '#server/domains/fleet/message/ingest.ts';
import { recordEvents } from '#server/events/record.ts';

import type { SimulationSettings } from './limits.ts';
import { pickLocation } from './locations.ts';
import { loadSettings } from './settings.ts';

export interface Simulations {
  close(): Promise<void>;
}

/** The interval between rounds. All simulations share it, so their number doesn't affect the number of timers. */
const ROUND_MS = 5000;
/** The number of devices or fields in a transaction. */
const BATCH = { messages: 50, values: 500 };
/** The maximum per organization and round; the rest is due in the next round. */
const MAX_BATCHES = 10;
/** The maximum time per organization and round, in milliseconds, and the number of organizations that run at once. */
const MAX_ROUND_MS = 2000;
const CONCURRENT_ORGANIZATIONS = 8;

/**
 * Sends simulated messages and stores simulated values when due. The state is in the database, so after a restart,
 * simulations continue with their next run, and missed runs are skipped. Several processes can share the work because
 * each claims the runs in the transaction that stores their result.
 */
export function startSimulations(app: App): Simulations {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await delay(ROUND_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await runSimulations(app, stopping.signal);
    }
  })();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Runs one round. A failure affects only the organization in which it occurs. */
export async function runSimulations(app: App, stopping?: AbortSignal): Promise<void> {
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      app.log.warn('A round of the simulations failed.', { reason: describeError(error) });
    }
  };
  const runAll = async (organizations: readonly string[], run: (organization: string) => Promise<boolean>) => {
    const remainingOrganizations = [...organizations];
    const runNext = async () => {
      for (
        let organization = remainingOrganizations.shift();
        organization !== undefined;
        organization = remainingOrganizations.shift()
      ) {
        const name = organization;
        const endsAt = performance.now() + MAX_ROUND_MS;
        await attempt(async () => {
          for (let batch = 0; batch < MAX_BATCHES && performance.now() < endsAt; batch += 1) {
            if (stopping?.aborted === true || !(await run(name))) return;
          }
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_ORGANIZATIONS }, runNext));
  };
  await attempt(async () => {
    const dueRuns = await findDue(app);
    await runAll(dueRuns.messages, async (organization) => runMessages(app, organization));
    await runAll(dueRuns.locations, async (organization) => runLocations(app, organization));
    await runAll(dueRuns.values, async (organization) => runValues(app, organization));
  });
}

/** Returns the organizations with due simulations. Every organization with simulations has settings (lockSettings). */
async function findDue(app: App) {
  const now = app.now().toISOString();
  const isDue = (table: string) => sql`exists (
    select 1 from ${sql.identifier(table)} as due
     where due.organization = simulation.organization and due.next_run <= ${now}::timestamptz
       ${table === 'message_simulation' ? sql`and due.enabled and simulation.enabled` : sql``})`;
  const { rows } = await app.db.orm.execute<{
    organization: string;
    messages: boolean;
    locations: boolean;
    values: boolean;
  }>(sql`
    select organization, ${isDue('message_simulation')} as messages, ${isDue('location_simulation')} as locations,
      ${isDue('value_simulation')} as "values" from simulation`);
  const organizations = (kind: 'messages' | 'locations' | 'values') =>
    rows.filter((row) => row[kind]).map(({ organization }) => organization);
  return {
    messages: organizations('messages'),
    locations: organizations('locations'),
    values: organizations('values'),
  };
}

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
async function runMessages(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  const { orm } = app.db;
  const settings = await loadSettings(orm, organization);
  const { rows } = await orm.execute<DueMessages>(sql`
    select number, coalesce(messages_per_interval, ${settings.messagesPerInterval}::int) as amount,
      coalesce(interval_seconds, ${settings.intervalSeconds}::int) as seconds, bodies, variable_bytes, area, locations,
      metadata, sent::float8 as sent, next_run::text as next_run, pause
    from message_simulation
    where organization = ${organization} and enabled and next_run <= ${now.toISOString()}::timestamptz
    order by next_run, number limit ${BATCH.messages}`);
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
  const outcomes = await parseMessages({ db: orm, parsing: app.parsing, secrets: app.secrets }, organization, created);
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
  return rows.length === BATCH.messages;
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

/** Records the run of a claimed row of `due` and schedules the next one. Missed runs are skipped. */
const recordRun = (now: Date) => sql`sent = sent + 1, last_run = ${now.toISOString()}::timestamptz,
  next_run = ${now.toISOString()}::timestamptz + make_interval(secs => due.interval_seconds)`;

/** Moves the devices whose simulated location is due. */
async function runLocations(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{
      number: string;
      area: Box | null;
      locations: Point[] | null;
      sent: number;
    }>(sql`
      select number, area, locations, sent::float8 as sent from location_simulation
       where organization = ${organization} and next_run <= ${now.toISOString()}::timestamptz
       order by number limit ${BATCH.values} for update skip locked`);
    const availableDevices = await lockAvailableDevices(
      tx,
      organization,
      rows.map(({ number }) => number),
    );
    const moves = rows.flatMap((row) => {
      const location = pickLocation(row, row.sent);
      return location !== undefined && availableDevices.has(row.number) ? [{ number: row.number, location }] : [];
    });
    if (moves.length === 0) return false;
    const numbers = moves.map(({ number }) => number);
    await tx.execute(sql`
      update location_simulation as due set ${recordRun(now)}
       where organization = ${organization} and number = any(${sql.param(numbers)}::text[])`);
    const { rows: movedRows } = await tx.execute<{ number: string }>(sql`
      update device set latitude = moved.latitude, longitude = moved.longitude
        from unnest(${sql.param(numbers)}::text[],
          ${sql.param(moves.map(({ location }) => location.latitude))}::float8[],
          ${sql.param(moves.map(({ location }) => location.longitude))}::float8[]) as moved (number, latitude, longitude)
       where device.organization = ${organization} and device.number = moved.number
         and (device.latitude, device.longitude) is distinct from (moved.latitude, moved.longitude)
      returning device.number`);
    const movedNumbers = new Set(movedRows.map(({ number }) => number));
    const subjects = await loadDeviceSubjects(tx, organization, [...movedNumbers]);
    await recordEvents(
      tx,
      moves.flatMap(({ number, location }) => {
        const subject = subjects.get(number);
        return subject === undefined ? [] : [deviceLocationUpdated(subject, now, location, now)];
      }),
    );
    return rows.length === BATCH.values;
  });
}

interface DueValue extends Record<string, unknown>, Omit<ExtractedValue, 'numericType' | 'operational' | 'numeric'> {
  readonly number: string;
  readonly parser: string;
  readonly numeric_type: ExtractedValue['numericType'];
  /** Absent if the parser no longer has the field. */
  readonly operational: boolean | null;
  readonly encrypted: boolean | null;
  /** True if `text` is sealed. */
  readonly is_sealed: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Stores the values that are due. They have the device's location if the server simulates it. */
async function runValues(app: App, organization: string): Promise<boolean> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const { rows } = await tx.execute<DueValue>(sql`
      select due.number, due.field, due.parser, due.type, due.numeric_type, due.unit, field.operational,
        field.encrypted,
        due.rotation ->> (due.sent % jsonb_array_length(due.rotation))::int as text, due.sealed as is_sealed,
        case when location.number is not null then device.latitude end as latitude,
        case when location.number is not null then device.longitude end as longitude
      from value_simulation as due
      join device on device.organization = due.organization and device.number = due.number
      left join parser_field as field
        on field.organization = due.owner and field.parser = due.parser and field.identifier = due.field_identifier
      left join location_simulation as location
        on location.organization = due.organization and location.number = due.number
      where due.organization = ${organization} and due.next_run <= ${now.toISOString()}::timestamptz
      order by due.number, due.field limit ${BATCH.values} for update of due skip locked`);
    await endOrphans(tx, organization, rows);
    const availableDevices = await lockAvailableDevices(
      tx,
      organization,
      rows.map(({ number }) => number),
    );
    const rowsToStore = rows.filter(({ number, operational }) => operational !== null && availableDevices.has(number));
    if (rowsToStore.length === 0) return false;
    await tx.execute(sql`
      update value_simulation as due set ${recordRun(now)}
        from unnest(${sql.param(rowsToStore.map(({ number }) => number))}::text[],
          ${sql.param(rowsToStore.map(({ field }) => field))}::text[]) as stored (number, field)
       where due.organization = ${organization} and due.number = stored.number and due.field = stored.field`);
    await storeValues(
      tx,
      organization,
      rowsToStore.map((row) => ({
        id: 0,
        number: row.number,
        outcomes: [
          {
            parser: row.parser,
            name: '',
            result: {},
            plainResult: {},
            measuredAt: now,
            values: [toValue(app.secrets, row)],
            location:
              row.latitude === null || row.longitude === null
                ? undefined
                : { latitude: row.latitude, longitude: row.longitude },
            messageMetadata: undefined,
            deviceMetadata: undefined,
          },
        ],
      })),
    );
    return rows.length === BATCH.values;
  });
}

function toValue(secrets: Sealer, { field, type, numeric_type: numericType, unit, ...row }: DueValue): ExtractedValue {
  const common = { field, type, numericType, unit, operational: row.operational ?? false };
  const text = row.is_sealed ? secrets.open(row.text ?? '') : row.text;
  // Only numeric values have a numeric type.
  const value =
    numericType === null ? { numeric: null, text, ...common } : { numeric: Number(text), text: null, ...common };
  return row.encrypted ? sealValue(secrets, value) : value;
}

/** Ends the simulation of fields that their parser no longer has. */
async function endOrphans(tx: Tx, organization: string, rows: readonly DueValue[]): Promise<void> {
  const orphans = rows.filter(({ operational }) => operational === null);
  if (orphans.length === 0) return;
  await tx.execute(sql`
    delete from value_simulation as due using unnest(${sql.param(orphans.map(({ number }) => number))}::text[],
        ${sql.param(orphans.map(({ field }) => field))}::text[]) as orphan (number, field)
     where due.organization = ${organization} and due.number = orphan.number and due.field = orphan.field`);
}
