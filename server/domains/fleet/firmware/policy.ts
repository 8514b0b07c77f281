import { DeviceFirmwareService } from '#proto/gen/hiber/device_firmware_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const deviceFirmwarePolicy = rpcs(DeviceFirmwareService, {
  get: read('MODEMS', 'MODEMS_FIRMWARE'),
  clearDeviceFirmwareRequirement: change('MODEMS', 'MODEMS_FIRMWARE'),
});
