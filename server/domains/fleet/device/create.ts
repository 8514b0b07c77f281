import { randomBytes, randomInt } from 'node:crypto';

import { create } from '@bufbuild/protobuf';
import { eq, inArray } from 'drizzle-orm';

import {
  type CreateModem_Request,
  CreateModem_RequestSchema,
  type CreateModem_Response,
  CreateModem_ResponseSchema,
  Modem_Lifecycle,
} from '#proto/gen/hiber/modem_pb.ts';
import { Organization_Feature } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { readArea, readLocation } from '#server/db/locations.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import { deviceTag, type Point } from '#server/db/schema/tag.ts';
import { readTagChange } from '#server/domains/fleet/tag/item-tags.ts';
import { lockHealth } from '#server/domains/signals/health-level/device-health.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';
import { isHidden } from '#server/wire/lifecycles.ts';

import { requireFreeIdentifier } from './bulk-rules.ts';
import { deviceCreated, deviceInstalled } from './model/events.ts';
import { loadDevices } from './model/list.ts';
import { presentModem, createViewer } from './model/present.ts';
import { loadDeviceSubjects } from './model/subject.ts';
import { deviceScope } from './model/where.ts';

/** The contract mentions a maximum but does not state its value. */
const MAX_AMOUNT = 1000;

/** Creates devices for testing and for input through TestingService (contract: ModemService.Create). */
export async function createModems(
  app: App,
  caller: Scope,
  request: CreateModem_Request,
): Promise<CreateModem_Response> {
  const now = app.now();
  const lifecycle = initialLifecycle(request, caller);
  checkRequest(request, lifecycle, caller);
  const nextLocation = locationSource(request);
  const devices = await app.db.transaction(async (tx) => {
    await requireFeature(tx, caller.organization);
    await lockHealth(tx, caller.organization, 'shared');
    const [mildest] = await loadHealthLevels(tx, caller.organization);
    if (!mildest)
      throw failedPrecondition(`${caller.organization} has no health levels. Add one before you create devices.`);
    for (const identifier of request.externalDeviceIdentifiers) await requireFreeIdentifier(tx, identifier);
    const numbers = await generateNumbers(tx, request.amount);
    await tx.insert(device).values(
      numbers.map((number, index) => ({
        organization: caller.organization,
        number,
        // A device without a name is named after its number.
        name: request.names[index]?.trim() || number,
        lifecycle,
        healthLevel: mildest.level,
        peripherals: request.peripherals,
        notes: request.notes ?? '',
        deviceType: request.deviceType ?? '',
        externalIds: [request.externalDeviceIdentifiers[index] ?? []].flat(),
        hardwareProductionBatch: request.technical?.hardwareProductionBatch ?? '',
        manufacturer: request.technical?.manufacturer ?? '',
        ...nextLocation(),
        createdAt: now,
        updatedAt: now,
      })),
    );
    await tagAndRecord(tx, caller, request, lifecycle, numbers, now);
    const keys = numbers.map((number) => ({ organization: caller.organization, number }));
    return loadDevices(tx, deviceScope(caller), keys, now);
  });
  const viewer = createViewer(app, caller, now);
  return create(CreateModem_ResponseSchema, {
    modems: devices.map((device) => ({
      modemNumber: device.row.number,
      // Clients used this code to claim a device; the server no longer supports claiming.
      verificationCode: '',
      modem: request.includeModemsInResponse ? presentModem(device, viewer) : undefined,
    })),
    request: create(CreateModem_RequestSchema, { ...request, organization: caller.organization }),
  });
}

function checkRequest(request: CreateModem_Request, lifecycle: Modem_Lifecycle, caller: Scope): void {
  const { amount, names, externalDeviceIdentifiers: identifiers } = request;
  if (amount < 1 || amount > MAX_AMOUNT) {
    throw invalidArgument(`"amount" is ${amount}. Create 1 to ${MAX_AMOUNT} devices per request.`);
  }
  for (const [field, list] of [
    ['names', names],
    ['external_device_identifiers', identifiers],
  ] as const) {
    if (list.length > amount) {
      throw invalidArgument(`"${field}" has ${list.length} entries, but only ${amount} devices are requested.`);
    }
  }
  if (identifiers.some((identifier) => identifier.trim() === '') || new Set(identifiers).size < identifiers.length) {
    throw invalidArgument(
      '"external_device_identifiers" has an empty or duplicate identifier. Give each device a different one.',
    );
  }
  if (isHidden(lifecycle)) caller.require('DEVICE_VIEW_ALL_LIFECYCLES');
}

/**
 * Returns the lifecycle of a new device. The contract does not define the default. The spec requires acceptance
 * testing. Customers can't see that lifecycle, so they get the nearest one they can see (docs/contract-choices.md).
 */
function initialLifecycle({ lifecycle }: CreateModem_Request, { allLifecycles }: Scope): Modem_Lifecycle {
  return lifecycle ?? (allLifecycles ? Modem_Lifecycle.ACCEPTANCE_TESTING : Modem_Lifecycle.READY_TO_INSTALL);
}

async function requireFeature(tx: Tx, id: string): Promise<void> {
  const [row] = await tx.select({ features: organization.features }).from(organization).where(eq(organization.id, id));
  if (!row?.features.includes(Organization_Feature.MODEM_CREATION)) {
    throw failedPrecondition(`${id} doesn't have the MODEM_CREATION feature, which is required to create devices.`);
  }
}

/** Creates a function that returns the next device's location. */
function locationSource({ initialLocation }: CreateModem_Request): () => Partial<Point> {
  if (initialLocation.case === 'location') {
    const point = readLocation(initialLocation.value, 'The location');
    return () => ({ latitude: point.latitude, longitude: point.longitude });
  }
  if (initialLocation.case === 'randomLocationInArea') {
    const { bottomLeft, topRight } = readArea(initialLocation.value, 'The area for random locations');
    const randomBetween = (low: number, high: number) => low + (high - low) * (randomInt(2 ** 32) / 2 ** 32);
    return () => ({
      latitude: randomBetween(bottomLeft.latitude, topRight.latitude),
      longitude: randomBetween(bottomLeft.longitude, topRight.longitude),
    });
  }
  return () => ({});
}

/** Generates random device numbers that are not in use in any organization. */
async function generateNumbers(tx: Tx, amount: number): Promise<string[]> {
  const numbers = new Set<string>();
  while (numbers.size < amount) {
    const candidates = Array.from({ length: amount - numbers.size }, () => {
      const hex = randomBytes(4).toString('hex').toUpperCase();
      return `${hex.slice(0, 4)} ${hex.slice(4)}`;
    });
    const existingRows = await tx
      .select({ number: device.number })
      .from(device)
      .where(inArray(device.number, candidates));
    for (const number of candidates) if (!existingRows.some((row) => row.number === number)) numbers.add(number);
  }
  return [...numbers];
}

/** Adds the requested tags to the new devices and records the events about them. */
async function tagAndRecord(
  tx: Tx,
  caller: Scope,
  request: CreateModem_Request,
  lifecycle: Modem_Lifecycle,
  numbers: string[],
  now: Date,
): Promise<void> {
  const { organization } = caller;
  const { add } = await readTagChange(tx, caller, request.tags);
  const links = numbers.flatMap((number) => add.map(({ id }) => ({ organization, number, tag: id })));
  if (links.length > 0) await tx.insert(deviceTag).values(links);
  const subjects = await loadDeviceSubjects(tx, organization, numbers);
  const isInstalled = lifecycle === Modem_Lifecycle.INSTALLED;
  await recordEvents(
    tx,
    [...subjects.values()].flatMap((subject) =>
      isInstalled ? [deviceCreated(subject, now), deviceInstalled(subject, now)] : [deviceCreated(subject, now)],
    ),
  );
}
