import type { firmware } from '#server/domains/fleet/firmware/schema.ts';

import type { Fleet } from './fleet.ts';

/** One in this many pressure sensors still has to be flashed. */
const DEVICES_PER_REQUIREMENT = 8;
const SIZE = 48 * 1024;

/** The firmware that the demo's pressure sensors should have. */
const pressureFirmware = {
  identifier: 'pressure-lora-2.1.9.0',
  name: 'Pressure sensor',
  version: '1.9.0',
  supportedDeviceTypes: ['pressure-lora-2'],
  mediaType: 'application/octet-stream',
};

/** Returns the fleet's firmware, and requires it of some of its devices. Call it before inserting the devices. */
export function seedFirmware({ devices }: Fleet, organization: string): (typeof firmware.$inferInsert)[] {
  const types: readonly unknown[] = pressureFirmware.supportedDeviceTypes;
  const supportedDevices = devices.filter(({ deviceType }) => types.includes(deviceType));
  for (const [index, device] of supportedDevices.entries()) {
    if (index % DEVICES_PER_REQUIREMENT === 0) device.requiredFirmware = pressureFirmware.identifier;
  }
  // A header and filler: nothing runs it.
  const data = Buffer.concat([Buffer.from(`QDFW ${pressureFirmware.version}\n`), Buffer.alloc(SIZE, 0xff)]);
  return [{ organization, ...pressureFirmware, data }];
}
