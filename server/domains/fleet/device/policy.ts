import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const devicePolicy = rpcs(DeviceService, {
  list: read('MODEMS'),
  // The file fields also require MODEMS_UPDATE_FILES.
  update: change('MODEMS_UPDATE'),
  lifecycles: read(),
  settings: read('MODEMS'),
});

export const modemPolicy = rpcs(ModemService, {
  list: read('MODEMS'),
  // The request contains two list requests. If both name an organization, the one in `groups` wins.
  grouped: { ...read('MODEMS'), organizationIn: ['groups.organization', 'group_content.organization'] },
  // PROCESS_POINTS isn't required. It only adds a device's process points to the response.
  get: read('MODEMS'),
  lifecycles: read(),
  tagCount: read('MODEMS'),
  create: change('MODEMS_CREATE'),
  updateTags: change('MODEMS_UPDATE'),
  messages: read('MODEM_MESSAGES'),
});
