import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const assignmentPolicy = rpcs(AssignmentService, {
  list: read('ASSIGNMENTS'),
  // Each side of an assignment also requires a permission that depends on its type.
  assign: change('ASSIGNMENTS'),
  unassign: change('ASSIGNMENTS'),
  delete: change('ASSIGNMENTS'),
  assetAssignments: read('PROCESS_POINTS', 'MODEMS_ALARMS'),
  // Flags add alarm and parser details to these lists; each flag requires its own permission.
  processPointAssignments: read('PROCESS_POINTS'),
  modemAssignments: read('MODEMS'),
  tagAssignments: read('MODEMS'),
  // These lists always name the devices.
  alarmAssignments: read('MODEMS', 'MODEMS_ALARMS'),
  modemMessageBodyParserAssignments: read('MODEMS', 'MODEMS_MESSAGE_BODY_PARSERS'),
});
