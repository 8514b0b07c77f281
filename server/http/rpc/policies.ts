import {
  serverPolicy,
  grpcHealthPolicy,
  grpcReflectionPolicy,
  grpcReflectionV1AlphaPolicy,
} from '#server/domains/console/server/policy.ts';
import { exportPolicy } from '#server/domains/data/export/policy.ts';
import { fieldPolicy } from '#server/domains/data/field/policy.ts';
import { filePolicy } from '#server/domains/data/file/policy.ts';
import { parserPolicy, parserTracePolicy } from '#server/domains/data/parser/policy.ts';
import { valueSimulationPolicy, simulationPolicy } from '#server/domains/data/simulation/policy.ts';
import { valuePolicy } from '#server/domains/data/value/policy.ts';
import { assignmentPolicy } from '#server/domains/fleet/assignment/policy.ts';
import { deviceTypePolicy } from '#server/domains/fleet/device-type/policy.ts';
import {
  devicePolicy,
  modemPolicy,
  deviceFirmwarePolicy,
  deviceNotePolicy,
} from '#server/domains/fleet/device/policy.ts';
import { messagePolicy, testingPolicy } from '#server/domains/fleet/message/policy.ts';
import { processPointPolicy } from '#server/domains/fleet/process-point/policy.ts';
import { tagPolicy } from '#server/domains/fleet/tag/policy.ts';
import { transferPolicy } from '#server/domains/fleet/transfer/policy.ts';
import { valvePolicy } from '#server/domains/fleet/valve/policy.ts';
import { certificatePolicy } from '#server/domains/integrations/certificate/policy.ts';
import { mqttPolicy } from '#server/domains/integrations/mqtt/policy.ts';
import { slackPolicy } from '#server/domains/integrations/slack/policy.ts';
import { tokenPolicy } from '#server/domains/integrations/token/policy.ts';
import { webhookPolicy, webhookDeliveryPolicy } from '#server/domains/integrations/webhook/policy.ts';
import { organizationPolicy } from '#server/domains/people/organization/policy.ts';
import { rolePolicy } from '#server/domains/people/role/policy.ts';
import { sessionPolicy } from '#server/domains/people/sign-in/policy.ts';
import { supportPolicy } from '#server/domains/people/support-session/policy.ts';
import { userPolicy } from '#server/domains/people/user/policy.ts';
import { ssoPolicy, currentUserPolicy, unitPreferencesPolicy } from '#server/domains/self/me/policy.ts';
import { alarmPolicy } from '#server/domains/signals/alarm/policy.ts';
import { eventPolicy } from '#server/domains/signals/event/policy.ts';
import { healthLevelPolicy } from '#server/domains/signals/health-level/policy.ts';
import { mapPolicy } from '#server/domains/signals/map/policy.ts';
import { namedLocationPolicy } from '#server/domains/signals/named-location/policy.ts';
import { notificationPolicy } from '#server/domains/signals/notification/policy.ts';
import { policyTable } from '#server/policies/rpcs.ts';

/** The policies for all rpcs, both the contract's and our own, including rpcs that are not implemented yet. */
const policies = [
  serverPolicy,
  grpcHealthPolicy,
  grpcReflectionPolicy,
  grpcReflectionV1AlphaPolicy,
  exportPolicy,
  fieldPolicy,
  filePolicy,
  parserPolicy,
  parserTracePolicy,
  valueSimulationPolicy,
  simulationPolicy,
  valuePolicy,
  assignmentPolicy,
  devicePolicy,
  modemPolicy,
  deviceFirmwarePolicy,
  deviceNotePolicy,
  deviceTypePolicy,
  messagePolicy,
  testingPolicy,
  processPointPolicy,
  tagPolicy,
  transferPolicy,
  valvePolicy,
  certificatePolicy,
  mqttPolicy,
  slackPolicy,
  tokenPolicy,
  webhookPolicy,
  webhookDeliveryPolicy,
  organizationPolicy,
  rolePolicy,
  sessionPolicy,
  supportPolicy,
  userPolicy,
  ssoPolicy,
  currentUserPolicy,
  unitPreferencesPolicy,
  alarmPolicy,
  eventPolicy,
  healthLevelPolicy,
  mapPolicy,
  namedLocationPolicy,
  notificationPolicy,
] as const;

/** A service with a policy. A route for any other service is a type error. */
export type ServiceWithPolicy = (typeof policies)[number]['service'];

export const policyOf = policyTable(policies);
