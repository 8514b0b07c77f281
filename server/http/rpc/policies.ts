// The policies of all services, both the contract's and our own, including those that are not implemented yet.
export {
  serverPolicy,
  grpcHealthPolicy,
  grpcReflectionPolicy,
  grpcReflectionV1AlphaPolicy,
} from '#server/domains/console/server/policy.ts';
export { exportPolicy, exportProgressPolicy } from '#server/domains/data/export/policy.ts';
export { fieldPolicy } from '#server/domains/data/field/policy.ts';
export { filePolicy } from '#server/domains/data/file/policy.ts';
export { parserPolicy, parserTracePolicy } from '#server/domains/data/parser/policy.ts';
export { valueSimulationPolicy, simulationPolicy } from '#server/domains/data/simulation/policy.ts';
export { valuePolicy } from '#server/domains/data/value/policy.ts';
export { assignmentPolicy } from '#server/domains/fleet/assignment/policy.ts';
export { deviceNotePolicy } from '#server/domains/fleet/device-note/policy.ts';
export { deviceTypePolicy } from '#server/domains/fleet/device-type/policy.ts';
export { devicePolicy, modemPolicy } from '#server/domains/fleet/device/policy.ts';
export { deviceFirmwarePolicy } from '#server/domains/fleet/firmware/policy.ts';
export { messagePolicy, testingPolicy } from '#server/domains/fleet/message/policy.ts';
export { processPointPolicy } from '#server/domains/fleet/process-point/policy.ts';
export { tagPolicy } from '#server/domains/fleet/tag/policy.ts';
export { transferPolicy } from '#server/domains/fleet/transfer/policy.ts';
export { valvePolicy } from '#server/domains/fleet/valve/policy.ts';
export { certificatePolicy } from '#server/domains/integrations/certificate/policy.ts';
export { mqttPolicy } from '#server/domains/integrations/mqtt/policy.ts';
export { slackPolicy } from '#server/domains/integrations/slack/policy.ts';
export { tokenPolicy } from '#server/domains/integrations/token/policy.ts';
export { webhookPolicy, webhookDeliveryPolicy } from '#server/domains/integrations/webhook/policy.ts';
export { organizationPolicy } from '#server/domains/people/organization/policy.ts';
export { rolePolicy } from '#server/domains/people/role/policy.ts';
export { sessionPolicy } from '#server/domains/people/sign-in/policy.ts';
export { supportPolicy } from '#server/domains/people/support-session/policy.ts';
export { userPolicy } from '#server/domains/people/user/policy.ts';
export { ssoPolicy, currentUserPolicy, unitPreferencesPolicy } from '#server/domains/self/me/policy.ts';
export { alarmPolicy } from '#server/domains/signals/alarm/policy.ts';
export { eventPolicy } from '#server/domains/signals/event/policy.ts';
export { healthLevelPolicy } from '#server/domains/signals/health-level/policy.ts';
export { mapPolicy } from '#server/domains/signals/map/policy.ts';
export { namedLocationPolicy } from '#server/domains/signals/named-location/policy.ts';
export { notificationPolicy } from '#server/domains/signals/notification/policy.ts';
