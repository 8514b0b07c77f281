import { create } from '@bufbuild/protobuf';
import { and, eq, type SQL, sql } from 'drizzle-orm';

import {
  type UpdateDevice,
  type UpdateDevice_Request,
  UpdateDevice_RequestSchema,
  type UpdateDevice_Response,
  UpdateDevice_ResponseSchema,
} from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceFile } from '#server/domains/data/file/schema.ts';
import { removeUnreferencedFiles, storeFiles } from '#server/domains/data/file/store.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

import { type DeviceBeforeUpdate, checkBulkUpdate, requireFreeIdentifier } from './bulk-rules.ts';
import { type Changes, readChanges } from './changes.ts';
import { type DeviceCriteria, readDeviceCriteria, selectsEverything, readModemCriteria } from './model/criteria.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { loadDevices } from './model/list.ts';
import { presentDevice, createViewer } from './model/present.ts';
import { sealNotes, unsealNotes } from './model/secure-notes.ts';
import { subjectColumns } from './model/subject.ts';
import { deviceScope, deviceWhere } from './model/where.ts';
import { type AppliedUpdate, type UpdatedDevice, updateEvents } from './update-events.ts';

/**
 * The maximum number of devices in the response, which isn't paginated. The number of updated devices is not limited
 * (not specified in the contract). Presenting a device costs more than changing it, and a client that changes many
 * devices lists them again anyway.
 */
const MAX_RETURNED_DEVICES = 100;

/**
 * Applies the updates in order and in a single transaction, so a failed call changes nothing. The contract doesn't
 * require this.
 */
export async function updateDevices(
  app: App,
  caller: Scope,
  request: UpdateDevice_Request,
): Promise<UpdateDevice_Response> {
  const now = app.now();
  const devices = await app.db.transaction(async (tx) => {
    await lockDevices(tx, caller, request.devices, now);
    const updatedNumbers = new Set<string>();
    let applied: AppliedUpdate[] = [];
    const record = async (): Promise<void> => {
      await recordEvents(tx, await updateEvents(tx, caller.organization, applied, now));
      applied = [];
    };
    for (const update of request.devices) {
      const next = await applyUpdate(tx, app.secrets, caller, update, now);
      // A table can have an update for each device, whose events are recorded together. Those of an earlier update of
      // the same device contain what it was in between.
      if (next.after.some(({ number }) => updatedNumbers.has(number))) await record();
      for (const { number } of next.after) updatedNumbers.add(number);
      applied.push(next);
    }
    await record();
    const keys = [...updatedNumbers]
      .slice(0, MAX_RETURNED_DEVICES)
      .map((number) => ({ organization: caller.organization, number }));
    return loadDevices(tx, deviceScope(caller), keys, now);
  });
  const viewer = createViewer(app, caller, now);
  return create(UpdateDevice_ResponseSchema, {
    devices: devices.map((device) => presentDevice(device, viewer)),
    request: create(UpdateDevice_RequestSchema, { ...request, organization: caller.organization }),
  });
}

/** Updates the selected devices, without recording events. */
async function applyUpdate(
  tx: Tx,
  secrets: Sealer,
  caller: Scope,
  update: UpdateDevice,
  now: Date,
): Promise<AppliedUpdate> {
  const changes = readChanges(update, caller, now);
  const selectedDevices = await selectDevices(tx, caller, update, now);
  const numbers = selectedDevices.map(({ number }) => number);
  if (numbers.length === 0) return { update, changes, before: [], after: [] };
  checkBulkUpdate(update, changes, selectedDevices, (stored) => unsealNotes(secrets, stored));
  if (changes.externalId !== undefined) await requireFreeIdentifier(tx, changes.externalId);

  const { secureNotes } = changes;
  const sealedChanges = {
    ...changes,
    secureNotes: secureNotes === undefined ? undefined : sealNotes(secrets, secureNotes),
  };
  const updatedDevices = await writeChanges(tx, caller.organization, sealedChanges, numbers, now);
  await writeFiles(tx, caller.organization, update, numbers, now);
  return { update, changes, before: selectedDevices, after: updatedDevices };
}

/** Reads the selection of an update, which has two forms. */
function readSelection(update: UpdateDevice, now: Date): DeviceCriteria {
  const criteria = update.modemSelection
    ? readModemCriteria(update.modemSelection, now)
    : readDeviceCriteria(update.selection, now);
  if (update.modemSelection && update.selection && !selectsEverything(readDeviceCriteria(update.selection, now))) {
    throw invalidArgument('An update can have a selection or a modem_selection, not both.');
  }
  // An omitted selection mustn't change a whole fleet by accident (not specified in the contract).
  if (selectsEverything(criteria)) throw invalidArgument('An update needs a non-empty selection of devices.');
  return criteria;
}

/**
 * Locks the devices of all updates in number order. Otherwise, each update would lock its own, and two calls with the
 * same devices in different orders would wait for each other.
 */
async function lockDevices(tx: Tx, caller: Scope, updates: readonly UpdateDevice[], now: Date): Promise<void> {
  if (updates.length < 2) return;
  const numbers = new Set<string>();
  for (const update of updates) {
    const criteria = readSelection(update, now);
    const { include } = criteria.numbers;
    const selectNumbers = () =>
      tx
        .select({ number: device.number })
        .from(device)
        .where(deviceWhere(deviceScope(caller), criteria));
    for (const number of include.length > 0 ? include : (await selectNumbers()).map((row) => row.number)) {
      numbers.add(number);
    }
  }
  await tx
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, caller.organization), anyOf(device.number, [...numbers])))
    .orderBy(device.number)
    .for('update');
}

/** Locks the devices in number order, which serializes concurrent updates of the same devices. */
async function selectDevices(tx: Tx, caller: Scope, update: UpdateDevice, now: Date): Promise<DeviceBeforeUpdate[]> {
  const criteria = readSelection(update, now);
  const scope = deviceScope(caller);
  const selectedDevices = await tx
    .select({
      number: device.number,
      name: device.name,
      notes: device.notes,
      secureNotes: device.secureNotes,
      lifecycle: device.lifecycle,
      externalIds: device.externalIds,
    })
    .from(device)
    .where(deviceWhere(scope, criteria))
    .orderBy(device.number)
    .for('update');
  await requireIncludedDevices(tx, scope, criteria, selectedDevices);
  return selectedDevices;
}

/** Writes the changes and returns the devices after the change. */
async function writeChanges(
  tx: Tx,
  organization: string,
  changes: Changes,
  numbers: string[],
  now: Date,
): Promise<UpdatedDevice[]> {
  const { peripherals, externalId, name, ...columns } = changes;
  return tx
    .update(device)
    .set({
      ...columns,
      // Clearing the name resets it to the number (contract: Device.name).
      name: name === undefined ? undefined : sql`coalesce(nullif(${name}, ''), ${device.number})`,
      peripherals: peripherals && newPeripherals(peripherals),
      externalIds: externalId === undefined ? undefined : [externalId],
      updatedAt: now,
    })
    .where(and(eq(device.organization, organization), sql`${device.number} = any(${sql.param(numbers)}::text[])`))
    .returning({ ...subjectColumns, peripherals: device.peripherals });
}

function newPeripherals({ replace, remove, add }: NonNullable<Changes['peripherals']>): SQL {
  const addition = sql`${JSON.stringify(add)}::jsonb`;
  return replace ? addition : sql`(${device.peripherals} - ${sql.param(remove)}::text[]) || ${addition}`;
}

async function writeFiles(
  tx: Tx,
  organization: string,
  { addFiles, deleteFiles }: UpdateDevice,
  numbers: string[],
  now: Date,
): Promise<void> {
  const files = await storeFiles(tx, organization, addFiles, now);
  const numberList = sql.param(numbers);
  if (files.length > 0) {
    await tx.execute(sql`
      insert into ${deviceFile} (organization, number, file)
      select ${organization}, number, file
        from unnest(${numberList}::text[]) as number cross join unnest(${sql.param(files)}::text[]) as file
      on conflict do nothing`);
  }
  if (deleteFiles.length > 0) {
    await tx.execute(sql`
      delete from ${deviceFile} where organization = ${organization} and number = any(${numberList}::text[])
        and file = any(${sql.param(deleteFiles)}::text[])`);
    await removeUnreferencedFiles(tx, organization, deleteFiles);
  }
}
