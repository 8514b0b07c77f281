import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import {
  ClearDeviceFirmwareRequirement_ResponseSchema,
  DeviceFirmwareSchema,
  DeviceFirmwareService,
  type GetDeviceFirmware_Request,
  GetDeviceFirmware_ResponseSchema,
} from '#proto/gen/hiber/device_firmware_pb.ts';
import { service } from '#server/app/service.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { organization as organizations } from '#server/db/schema/organization.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { scope, type Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument, notFound } from '#server/wire/errors.ts';

import { clearRequirement } from './clear.ts';
import { firmware } from './schema.ts';

export const firmwareService = service(DeviceFirmwareService, (app) => ({
  async get(request, context) {
    const caller = scope(context);
    const { orm } = app.db;
    const identifier = await requestedIdentifier(orm, caller, request);
    const row = await findFirmware(orm, caller.organization, identifier);
    if (row === undefined) throw notFound(`${caller.organization} has no firmware "${identifier}".`);
    return create(GetDeviceFirmware_ResponseSchema, {
      firmware: create(DeviceFirmwareSchema, {
        identifier: row.identifier,
        name: row.name,
        version: { version: row.version },
        supportedDeviceTypes: row.supportedDeviceTypes,
        mediaType: row.mediaType,
        data: row.data,
      }),
    });
  },

  async clearDeviceFirmwareRequirement({ devices }, context) {
    await clearRequirement(app, scope(context), devices);
    return create(ClearDeviceFirmwareRequirement_ResponseSchema);
  },
}));

/**
 * Returns the identifier in the request, or the one that its device requires. It is an error if the device requires
 * none (not specified in the contract).
 */
async function requestedIdentifier(
  db: Executor,
  caller: Scope,
  { selection }: GetDeviceFirmware_Request,
): Promise<string> {
  if (selection.case === 'identifier' && selection.value !== '') return selection.value;
  if (selection.case !== 'device') throw invalidArgument('Name a firmware, or a device that requires one.');
  const number = deviceNumber(selection.value);
  const [row] = await db
    .select({ required: device.requiredFirmware })
    .from(device)
    .where(and(visibleDevices(deviceScope(caller)), eq(device.number, number)));
  if (row === undefined) throw notFound(`${caller.organization} has no device ${number}.`);
  if (row.required === null) throw failedPrecondition(`Device ${number} requires no firmware.`);
  return row.required;
}

/** Finds the firmware in the organization or in the nearest one above it, as parsers are inherited. */
async function findFirmware(db: Executor, organization: string, identifier: string) {
  const [row] = await db
    .select()
    .from(firmware)
    .where(
      and(
        eq(firmware.identifier, identifier),
        sql`${firmware.organization} in (
          select unnest(${organizations.path}) from ${organizations} where ${organizations.id} = ${organization})`,
      ),
    )
    .orderBy(
      sql`array_position((select ${organizations.path} from ${organizations} where ${organizations.id} = ${organization}),
        ${firmware.organization}) desc`,
    )
    .limit(1);
  return row;
}
