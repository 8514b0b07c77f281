import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const processPointPolicy = rpcs(ProcessPointService, {
  list: read('PROCESS_POINTS'),
  create: change('PROCESS_POINTS_UPDATE'),
  update: change('PROCESS_POINTS_UPDATE'),
  delete: change('PROCESS_POINTS_UPDATE'),
  assignTag: change('PROCESS_POINTS', 'ASSIGNMENTS'),
  unassignTag: change('PROCESS_POINTS', 'ASSIGNMENTS'),
  assignDevice: change('PROCESS_POINTS', 'ASSIGNMENTS', 'MODEMS'),
  unassignDevice: change('PROCESS_POINTS', 'ASSIGNMENTS', 'MODEMS'),
});
