import { create } from '@bufbuild/protobuf';

import { bulkAction } from '#commands/kit/bulk-action.ts';
import { toContent } from '#commands/kit/file-item.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';

import { device } from './entity.ts';
import { organizationIdOf, type Device } from './item.ts';
import { ALL_LIFECYCLES } from './lifecycle.ts';

const requiredFirmware = ({ modem }: Device) => modem.requiredDeviceFirmwareIdentifier || undefined;

/** Saves the firmware that a device requires. */
export const downloadFirmware = command({
  id: 'device.download-firmware',
  on: () => device,
  requires: 'MODEMS_FIRMWARE',
  effect: 'read',
  needs: ['files'],
  appliesTo: (item) => requiredFirmware(item as Device) !== undefined,
  params: { devices: p.many(() => device, { atMost: 1 }) },
  positional: ['devices'],
  run: async (context, { devices }) => {
    const item = devices.items[0]!;
    if (requiredFirmware(item) === undefined) {
      throw new CommandError(message('device:validation.noFirmware', { label: device.label(item) }), 'devices');
    }
    const { DeviceFirmwareService } = await import('#proto/gen/hiber/device_firmware_pb.ts');
    const request = {
      organization: organizationIdOf(item),
      selection: { case: 'device' as const, value: item.modem.number },
    };
    const { firmware } = await context.api(DeviceFirmwareService).get(request, { signal: context.signal });
    const { identifier = '', mediaType = '', data = new Uint8Array() } = firmware ?? {};
    const name = identifier.includes('.bin') ? identifier : `${identifier}.bin`;
    const saved = await requireCapability(context, 'files').save(toContent({ name, mediaType }, data));
    return { message: message('common:files.saved', { name: saved }) };
  },
});

/**
 * Records that devices have been flashed. It cannot be undone, because the contract cannot set a requirement
 * (contract: DeviceFirmwareService).
 */
export const clearFirmware = bulkAction({
  entity: device,
  verb: 'clear-firmware',
  effect: 'destructive',
  requires: 'MODEMS_FIRMWARE',
  appliesTo: (item) => requiredFirmware(item) !== undefined,
  change: (item) => ({ field: message('device:fields.firmware'), before: requiredFirmware(item), after: undefined }),
  organization: organizationIdOf,
  call: async ({ api, organization, signal }, items) => {
    const { DeviceFirmwareService } = await import('#proto/gen/hiber/device_firmware_pb.ts');
    const include = items.map(({ modem }) => modem.number);
    const devices = create(DeviceSelectionSchema, { modems: { include }, lifecycles: { include: ALL_LIFECYCLES } });
    await api(DeviceFirmwareService).clearDeviceFirmwareRequirement({ organization, devices }, { signal });
  },
});
