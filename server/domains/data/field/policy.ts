import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const fieldPolicy = rpcs(FieldService, {
  list: read('MODEMS', 'MODEM_MESSAGES'),
  forAsset: read('PROCESS_POINTS_VALUES'),
  forProcessPoint: read('PROCESS_POINTS_VALUES'),
  forModem: read('MODEMS', 'MODEM_MESSAGES'),
  add: change('MODEMS_MESSAGE_BODY_PARSERS'),
  replaceAll: change('MODEMS_MESSAGE_BODY_PARSERS'),
  delete: change('MODEMS_MESSAGE_BODY_PARSERS'),
  update: change('MODEMS_MESSAGE_BODY_PARSERS'),
  updateNumericDetails: change('MODEMS_MESSAGE_BODY_PARSERS'),
  updateEnumValues: change('MODEMS_MESSAGE_BODY_PARSERS'),
});
