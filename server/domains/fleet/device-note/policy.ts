import { DeviceNoteService } from '#proto/gen/hiber/device_note_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const deviceNotePolicy = rpcs(DeviceNoteService, {
  list: read('MODEMS'),
  add: change('MODEMS_UPDATE_NOTES'),
  update: change('MODEMS_UPDATE_NOTES'),
});
