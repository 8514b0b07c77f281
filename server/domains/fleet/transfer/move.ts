/** Moves devices to another organization, and deletes their data in the one they leave. */
import { type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { message } from '#server/db/schema/message.ts';
import { publisherDelivery } from '#server/db/schema/publisher.ts';
import { deviceTag } from '#server/db/schema/tag.ts';
import { value } from '#server/db/schema/value.ts';
import { deviceFile, deviceNoteFile } from '#server/domains/data/file/schema.ts';
import { removeUnreferencedFiles } from '#server/domains/data/file/store.ts';
import { parserRetryDevice } from '#server/domains/data/parser/schema.ts';

type Column = keyof typeof device.$inferInsert;

/** The columns that describe the hardware, and the name. They stay as they are. */
export const KEPT_COLUMNS = [
  'number',
  'name',
  'type',
  'sensorBrand',
  'deviceType',
  'peripherals',
  'gps',
  'customAntenna',
  'settings',
  'transmissionInterval',
  'externalIds',
  'frequency',
  'batteryReplacedAt',
  'hardwareProductionBatch',
  'manufacturer',
  'requiredFirmware',
] as const satisfies readonly Column[];

/** Lifecycles of devices in use. After a transfer, a device has to be connected to a gateway again. */
const IN_USE: readonly number[] = [Modem_Lifecycle.INSTALLED, Modem_Lifecycle.PAUSED];

/** The devices per statement. A statement for all of them could exceed the time limit. */
export const CHUNK = 500;

interface Move {
  readonly sender: string;
  readonly recipient: string;
  /** The recipient's mildest level. */
  readonly healthLevel: string;
  /** Devices of the sender, which the transaction has locked. */
  readonly numbers: readonly string[];
  readonly now: Date;
}

/**
 * Moves the devices. Deletes what the sender stored about them, and clears references to them. Foreign keys delete the
 * rest, such as assignments, conditions, and simulations.
 */
export async function moveDevices(tx: Tx, { numbers, ...move }: Move): Promise<void> {
  await tx.execute(sql`
    update ${device} set gateway = null, gateway_brand = null
     where organization = ${move.sender} and ${anyOf(device.gateway, numbers)}`);
  for (let start = 0; start < numbers.length; start += CHUNK) {
    await moveChunk(tx, { ...move, numbers: numbers.slice(start, start + CHUNK) });
  }
}

async function moveChunk(tx: Tx, { sender, recipient, healthLevel, numbers, now }: Move): Promise<void> {
  const ofDevices = sql`organization = ${sender} and number = any(${sql.param([...numbers])}::text[])`;
  const time = sql`${now.toISOString()}::timestamptz`;
  const kept = sql.join(
    KEPT_COLUMNS.map((column) => sql.identifier(toSnakeCase(column))),
    sql`, `,
  );
  await tx.execute(sql`
    insert into ${device} (organization, lifecycle, health_level, created_at, updated_at, ${kept})
    select ${recipient}, case when lifecycle = any(${sql.param([...IN_USE])}::int[])
        then ${Modem_Lifecycle.READY_TO_INSTALL} else lifecycle end, ${healthLevel}, ${time}, ${time}, ${kept}
      from ${device} where ${ofDevices}`);
  const files = await tx.execute<{ file: string }>(sql`
    select file from ${deviceFile} where ${ofDevices} union select file from ${deviceNoteFile} where ${ofDevices}`);
  // Foreign keys would delete the tags device by device, and the counts of each tag would get a row per device.
  await tx.execute(sql`delete from ${deviceTag} where ${ofDevices}`);
  await deleteEvents(tx, sender, ofDevices);
  for (const table of [message, value, parserRetryDevice])
    await tx.execute(sql`delete from ${table} where ${ofDevices}`);
  await tx.execute(sql`delete from ${device} where ${ofDevices}`);
  await removeUnreferencedFiles(
    tx,
    sender,
    files.rows.map(({ file }) => file),
  );
}

/** Deletes events about the devices, and their pending deliveries. Keeps the events about earlier transfers. */
async function deleteEvents(tx: Tx, sender: string, ofDevices: SQL): Promise<void> {
  await tx.execute(sql`
    with deleted as (
      delete from ${event} where ${ofDevices} and type <> ${EventType.TRANSFER} returning time, id
    )
    delete from ${publisherDelivery} using deleted
     where organization = ${sender} and event_time = deleted.time and event_id = deleted.id`);
}
