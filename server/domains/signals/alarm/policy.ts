import { ModemAlarmService } from '#proto/gen/hiber/alarm_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const alarmPolicy = rpcs(ModemAlarmService, {
  list: read('MODEMS_ALARMS'),
  create: change('MODEMS_ALARMS_UPDATE'),
  update: change('MODEMS_ALARMS_UPDATE'),
  delete: change('MODEMS_ALARMS_UPDATE'),
  addCheck: change('MODEMS_ALARMS_UPDATE'),
  updateCheck: change('MODEMS_ALARMS_UPDATE'),
  removeCheck: change('MODEMS_ALARMS_UPDATE'),
  // Tests an alarm and stores nothing.
  testParameters: read('MODEMS_ALARMS'),
  assign: change('MODEMS_ALARMS', 'ASSIGNMENTS'),
  unassign: change('MODEMS_ALARMS', 'ASSIGNMENTS', 'MODEMS'),
});
