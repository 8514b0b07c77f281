import { DeviceTypeService } from '#proto/gen/hiber/device_type_pb.ts';
import { read, rpcs } from '#server/policies/rpcs.ts';

export const deviceTypePolicy = rpcs(DeviceTypeService, {
  list: read(),
});
