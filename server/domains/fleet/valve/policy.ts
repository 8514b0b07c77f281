import { ValveService } from '#proto/gen/hiber/valve_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const valvePolicy = rpcs(ValveService, {
  // The contract does not define permissions for these rpcs. A valve is a device, so the permissions for devices apply.
  list: read('MODEMS'),
  initialize: change('MODEMS'),
  operate: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  bleedHighPressureLine: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  confirmHighPressureLineIsZero: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  resetValve: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  confirmValveIsReset: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  confirmHighPressureLineUnderPressure: change('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
});
