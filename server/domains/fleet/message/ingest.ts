import { create, type JsonObject } from '@bufbuild/protobuf';
import { type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { ModemMessage } from '#proto/gen/hiber/modem_pb.ts';
import { Modem_Lifecycle, ModemMessage_Source, ModemMessageSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { ascendingIds } from '#server/db/ids.ts';
import { keyRowsIn } from '#server/db/key-rows.ts';
import { executePrepared } from '#server/db/prepared.ts';
import type { ParserOutcome } from '#server/domains/data/parser/pipeline/parse.ts';
import { isSuccess, plainOutcomes, storedOutcomes, storeValues } from '#server/domains/data/parser/pipeline/store.ts';
import { deviceInstalled, deviceLocationUpdated } from '#server/domains/fleet/device/model/events.ts';
import {
  buildDeviceSubjects,
  type DeviceSubject,
  type SubjectRow,
} from '#server/domains/fleet/device/model/subject.ts';
import { inactivityDeletion, resolveInactivity } from '#server/domains/signals/alarm/inactivity.ts';
import { healthLock } from '#server/domains/signals/health-level/device-health.ts';
import { findLevel } from '#server/events/event-health.ts';
import { presentTags, type NewEvent } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';
import { presentBytes, presentLocation, presentTimestamp } from '#server/wire/present.ts';

import { messageBodyParsed, messageBodyReceived, messageCannotBeParsed, messageReceived } from './events.ts';
import { presentParsed } from './parsed.ts';

/** A message that the server has received but not stored yet. */
export interface IncomingMessage {
  /** The device number as stored: two groups of four. */
  readonly number: string;
  /** The time on the device's clock. */
  readonly sentAt: Date;
  readonly body: Uint8Array;
  readonly location?: { latitude: number; longitude: number };
  readonly metadata?: JsonObject;
  readonly source: ModemMessage_Source;
  /** The results of the device's parsers (parse.ts); undefined if the message isn't parsed. */
  readonly outcomes?: readonly ParserOutcome[];
}

interface StoredMessage extends IncomingMessage {
  readonly id: number;
}

/** Thrown if a message names a device that doesn't exist in the organization. */
export class UnknownDevicesError extends Error {
  override name = 'UnknownDevicesError';
  readonly numbers: readonly string[];

  constructor(organization: string, numbers: readonly string[]) {
    super(`These devices don't exist in ${organization}: ${numbers.join(', ')}.`);
    this.numbers = numbers;
  }
}

/** Lifecycles that end when the device sends its next message (contract: Lifecycle). */
const lifecyclesAwaitingMessage: readonly number[] = [Modem_Lifecycle.READY_TO_INSTALL, Modem_Lifecycle.PAUSED];

/**
 * Stores messages, updates their devices, and records all resulting events in the caller's transaction. Processes a
 * device's messages in list order. `now` is the time of receipt.
 *
 * @param lockedDevices the messages' devices, if the caller has already locked them ({@link lockAvailableDevices}).
 *   Otherwise, waits for other transactions that have locked them.
 * @returns the ids of the stored messages, in order
 * @throws UnknownDevicesError before anything is written
 */
export async function ingestMessages(
  tx: Tx,
  organization: string,
  messages: readonly IncomingMessage[],
  now: Date,
  lockedDevices?: ReadonlyMap<string, LockedDevice>,
): Promise<number[]> {
  if (messages.length === 0) return [];
  const numbers = [...new Set(messages.map(({ number }) => number))];
  const before = lockedDevices ?? (await lockDevices(tx, organization, numbers));
  const missingNumbers = numbers.filter((number) => !before.has(number));
  if (missingNumbers.length > 0) throw new UnknownDevicesError(organization, missingNumbers);
  const storedMessages = await store(tx, organization, messages.map(withParsedData), now);
  const { relocations, devices } = await updateDevices(tx, organization, storedMessages, before, now);
  await copyMetadata(tx, organization, storedMessages);
  await storeValues(
    tx,
    organization,
    storedMessages.map(({ outcomes = [], ...message }) => ({ ...message, outcomes })),
    { areNew: true },
  );
  const silentDevices = devices.filter(({ wasSilent }) => wasSilent);
  await resolveInactivity(
    tx,
    organization,
    silentDevices.map(({ number }) => number),
    now,
  );
  const subjects = await buildDeviceSubjects(tx, organization, devices);
  const failureLevel = storedMessages.some(cannotBeParsed)
    ? await findLevel(tx, organization, EventType.MESSAGE_CANNOT_BE_PARSED)
    : undefined;
  await recordEvents(tx, buildEvents(storedMessages, before, relocations, subjects, failureLevel, now));
  return storedMessages.map(({ id }) => id);
}

/** Adds the metadata that the parsers found and, unless the message already has one, the location. */
function withParsedData(message: IncomingMessage): IncomingMessage {
  const successes = (message.outcomes ?? []).filter(isSuccess);
  const location = message.location ?? successes.find((outcome) => outcome.location !== undefined)?.location;
  const copiedMetadata = successes.flatMap(({ messageMetadata }) => messageMetadata ?? []);
  return {
    ...message,
    ...(location === undefined ? {} : { location }),
    ...(copiedMetadata.length === 0
      ? {}
      : { metadata: Object.assign({}, message.metadata, ...copiedMetadata) as JsonObject }),
  };
}

/** Copies parser results into the devices' metadata, in the order the messages were sent, so the newest wins. */
async function copyMetadata(tx: Tx, organization: string, storedMessages: readonly StoredMessage[]): Promise<void> {
  const metadataByNumber = new Map<string, JsonObject>();
  for (const { number, outcomes = [] } of storedMessages.toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime())) {
    for (const { deviceMetadata } of outcomes.filter(isSuccess)) {
      if (deviceMetadata !== undefined)
        metadataByNumber.set(number, { ...metadataByNumber.get(number), ...deviceMetadata });
    }
  }
  if (metadataByNumber.size === 0) return;
  await tx.execute(sql`
    update device set metadata = device.metadata || copied.metadata
      from unnest(${sql.param([...metadataByNumber.keys()])}::text[],
        ${sql.param([...metadataByNumber.values()].map((metadata) => JSON.stringify(metadata)))}::jsonb[]) as copied (number, metadata)
     where device.organization = ${organization} and device.number = copied.number`);
}

/** True if parsers were applied, and all of them failed (contract: Event types). */
const cannotBeParsed = ({ outcomes = [] }: IncomingMessage): boolean =>
  outcomes.length > 0 && !outcomes.some(isSuccess);

/** A device before its message. No other transaction can change it until the end of this one. */
export interface LockedDevice {
  readonly number: string;
  readonly lifecycle: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Waits until the devices are locked. Omits numbers that don't exist. */
const lockDevices = (tx: Tx, organization: string, numbers: readonly string[]) =>
  lock(tx, organization, numbers, sql.raw('for update of device'));

/** Locks the devices that no other transaction has locked, without waiting. Omits numbers that don't exist. */
export const lockAvailableDevices = (tx: Tx, organization: string, numbers: readonly string[]) =>
  lock(tx, organization, numbers, sql.raw('for update of device skip locked'));

/**
 * Locks devices in number order, which prevents deadlocks between batches for the same devices. Takes the lock for
 * their health ({@link healthLock}) first, in the same statement: the database locks rows only after it has read and
 * sorted them, and so after it has read the common table.
 */
async function lock(tx: Tx, organization: string, numbers: readonly string[], clause: SQL) {
  const { rows } = await executePrepared<LockedDevice & Record<string, unknown>>(
    tx,
    sql`
    with health as materialized (select ${healthLock(organization, 'shared')})
    select device.number, lifecycle, latitude, longitude
    from ${keyRowsIn(organization, numbers)} as key (organization, number)
    join device on device.organization = key.organization and device.number = key.number
    cross join health
    order by device.number ${clause}`,
  );
  return new Map<string, LockedDevice>(rows.map((row) => [row.number, row]));
}

async function store(
  tx: Tx,
  organization: string,
  messages: readonly IncomingMessage[],
  now: Date,
): Promise<StoredMessage[]> {
  const column = <T>(value: (message: IncomingMessage) => T) => sql.param(messages.map(value));
  const { rows } = await executePrepared<{ id: number }>(
    tx,
    sql`
    insert into message (organization, received_at, id, number, sent_at, latitude, longitude, body, sources, is_test,
      metadata, parsed)
    select ${organization}, ${now.toISOString()}::timestamptz, nextval('message_id'), number, sent_at, latitude,
      longitude, body, array[source]::smallint[], source = ${ModemMessage_Source.TEST}, metadata, parsed
    from (select * from unnest(
      ${column(({ number }) => number)}::text[],
      ${column(({ sentAt }) => sentAt.toISOString())}::timestamptz[],
      ${column(({ location }) => location?.latitude)}::float8[],
      ${column(({ location }) => location?.longitude)}::float8[],
      ${column(({ body }) => Buffer.from(body))}::bytea[],
      ${column(({ source }) => source)}::int[],
      ${column(({ metadata }) => JSON.stringify(metadata))}::jsonb[],
      ${column(({ outcomes }) => (outcomes?.length ? JSON.stringify(storedOutcomes(outcomes)) : undefined))}::jsonb[]
    ) with ordinality as t (number, sent_at, latitude, longitude, body, source, metadata, parsed, ordinal)
    order by ordinal) as ordered
    returning id`,
  );
  const ids = ascendingIds(rows);
  return messages.map((message, index) => ({ id: ids[index] ?? 0, ...message }));
}

interface UpdatedDevice extends SubjectRow, Record<string, unknown> {
  /** True if the message ended the device's inactivity. */
  readonly wasSilent: boolean;
}

/**
 * Updates the devices from their messages, and ends their inactivity. A device's last message is the one that was sent
 * last. A message that arrives late does not replace it, but counts as activity.
 *
 * @returns the messages that gave their device a new location, and the updated devices
 */
async function updateDevices(
  tx: Tx,
  organization: string,
  storedMessages: readonly StoredMessage[],
  before: ReadonlyMap<string, LockedDevice>,
  now: Date,
): Promise<{ relocations: ReadonlySet<StoredMessage>; devices: readonly UpdatedDevice[] }> {
  const relocations = new Set<StoredMessage>();
  const latest = [...groupBy(storedMessages, ({ number }) => number)].map(([number, group]) => {
    const sortedMessages = group.toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
    // The sort is stable, so the last message in the batch counts if several were sent at the same time.
    const last = sortedMessages.reduce((_, message) => message);
    const lastWithLocation = sortedMessages.findLast(({ location }) => location !== undefined);
    const device = before.get(number);
    const hasMoved =
      lastWithLocation?.location !== undefined &&
      (lastWithLocation.location.latitude !== device?.latitude ||
        lastWithLocation.location.longitude !== device.longitude);
    if (lastWithLocation && hasMoved) relocations.add(lastWithLocation);
    return { last, location: hasMoved ? lastWithLocation.location : undefined, number };
  });
  const column = <T>(value: (entry: (typeof latest)[number]) => T) => sql.param(latest.map(value));
  const isNewest = sql`(d.last_message_sent_at is null or d.last_message_sent_at <= t.sent_at)`;
  const { rows: devices } = await executePrepared<UpdatedDevice>(
    tx,
    sql`
    with ended as (${inactivityDeletion(
      organization,
      latest.map(({ number }) => number),
    )})
    update device d set
      last_message_received_at = ${now.toISOString()}::timestamptz,
      last_message_id = case when ${isNewest} then t.id else d.last_message_id end,
      last_message_sent_at = case when ${isNewest} then t.sent_at else d.last_message_sent_at end,
      last_message_body = case when ${isNewest} then t.body else d.last_message_body end,
      latitude = coalesce(t.latitude, d.latitude),
      longitude = coalesce(t.longitude, d.longitude),
      lifecycle = case when d.lifecycle = any(${sql.param([...lifecyclesAwaitingMessage])}::int[])
        then ${Modem_Lifecycle.INSTALLED} else d.lifecycle end
    from unnest(
      ${column(() => organization)}::text[],
      ${column(({ number }) => number)}::text[],
      ${column(({ last }) => last.id)}::bigint[],
      ${column(({ last }) => last.sentAt.toISOString())}::timestamptz[],
      ${column(({ last }) => Buffer.from(last.body))}::bytea[],
      ${column(({ location }) => location?.latitude)}::float8[],
      ${column(({ location }) => location?.longitude)}::float8[]
    ) as t (organization, number, id, sent_at, body, latitude, longitude)
    where d.organization = t.organization and d.number = t.number
    returning d.number, d.name, d.external_ids as "externalIds", d.time_zone as "timeZone", d.lifecycle,
      exists (select from ended where ended.number = d.number) as "wasSilent"`,
  );
  return { relocations, devices };
}

/** Returns the events of each message, in order, ending with its MESSAGE_RECEIVED (contract: Event types). */
function buildEvents(
  storedMessages: readonly StoredMessage[],
  before: ReadonlyMap<string, LockedDevice>,
  relocations: ReadonlySet<StoredMessage>,
  subjects: ReadonlyMap<string, DeviceSubject>,
  failureLevel: HealthLevel | undefined,
  now: Date,
): NewEvent[] {
  const installedNumbers = new Set<string>();
  return storedMessages.flatMap((message) => {
    const subject = subjects.get(message.number);
    if (!subject) return [];
    const messageEvents = [messageBodyReceived(subject, now, message)];
    const lifecycle = before.get(message.number)?.lifecycle;
    if (
      lifecycle !== undefined &&
      lifecyclesAwaitingMessage.includes(lifecycle) &&
      !installedNumbers.has(message.number)
    ) {
      installedNumbers.add(message.number);
      messageEvents.push(deviceInstalled(subject, now));
    }
    if (relocations.has(message) && message.location) {
      messageEvents.push(deviceLocationUpdated(subject, now, message.location, message.sentAt));
    }
    messageEvents.push(...parseEvents(subject, message, failureLevel, now));
    messageEvents.push(messageReceived(subject, now, presentForEvent(subject, message, now)));
    return messageEvents;
  });
}

/** Returns an event for each parser that succeeded, or one if all of them failed. */
function parseEvents(
  subject: DeviceSubject,
  message: StoredMessage,
  failureLevel: HealthLevel | undefined,
  now: Date,
): NewEvent[] {
  const { id, outcomes = [] } = message;
  if (cannotBeParsed(message) && failureLevel !== undefined) {
    const reason = outcomes.map((outcome) => (isSuccess(outcome) ? '' : `${outcome.name}: ${outcome.error}`)).join(' ');
    return [messageCannotBeParsed(subject, now, { messageId: id, reason, healthLevel: failureLevel })];
  }
  return outcomes.filter(isSuccess).map((outcome) => messageBodyParsed(subject, now, message, outcome));
}

/**
 * Presents a message in the older form that events contain (contract: Event JSON shape), with times formatted in the
 * device's time zone.
 */
function presentForEvent(subject: DeviceSubject, message: StoredMessage, now: Date): ModemMessage {
  const tags = presentTags(subject.tags);
  return create(ModemMessageSchema, {
    modemNumber: subject.number,
    modemName: subject.name,
    modemIdentifier: subject.identifier,
    sentAt: presentTimestamp(message.sentAt, subject.timeZone),
    receivedAt: presentTimestamp(now, subject.timeZone),
    location: message.location && presentLocation(message.location),
    body: message.body,
    bodyBytes: presentBytes(message.body),
    messageId: BigInt(message.id),
    isTest: message.source === ModemMessage_Source.TEST,
    sources: [message.source],
    metadata: message.metadata,
    ...presentParsed(plainOutcomes(message.outcomes ?? [])),
    tags,
    tagNames: subject.tags.map(({ name }) => name),
  });
}
