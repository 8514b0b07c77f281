import { create, type DescMethod, type Message } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { groupBy } from '#commands/text/group-by.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';

import { effectOf as effectUnder } from './rpcs.ts';

const effectOf = (method: DescMethod, request?: Message) => effectUnder(policyOf(method), method, request);

/** The complete list of changing rpcs. Adding an rpc requires a decision here. */
const CHANGING_RPCS = `
AssignmentService: Assign Delete Unassign
CertificateService: Delete Rename Upload
DeviceFirmwareService: ClearDeviceFirmwareRequirement
DeviceNoteService: Add Update
DeviceService: Update
EmailNotificationPreferencesService: Delete Update
EventService: MarkResolved Resolve UpdateEventConfiguration UpdateEventHealthConfiguration
ExportService: Create Delete Extend
FieldService: Add Delete ReplaceAll Update UpdateEnumValues UpdateNumericDetails
FileService: Delete Upload
HealthService: Add Remove Reorder Update
MQTTService: Create Delete Disable Enable Update UpdateTags
ModemAlarmService: AddCheck Assign Create Delete RemoveCheck Unassign Update UpdateCheck
ModemMessageBodyParserService: Assign CreateSimple Delete MakeAvailableToChildOrganization MakeUnavailableToChildOrganization Rename Retry Unassign UpdateChildOrganizationAvailability UpdateSimple UpdateUploaded Upload
ModemService: Create UpdateTags
NamedLocationService: Create Delete Update
OrganizationService: Create Delete Update
ProcessPointService: AssignDevice AssignTag Create Delete UnassignDevice UnassignTag Update
SessionService: Revoke
SimulationService: DisableModemMessageSimulations Update UpdateModemMessageSimulations
SlackIntegrationService: Create Delete Disable Enable Update UpdateTags
TagService: Create Delete Update
TestingService: PushModemMessages
TokenService: Create Delete UpdateTokenOrganizationPermissions UpdateTokenRoles UpdateTokenUserPermissions
TransferService: Transfer
UserService: Approve CreateUser CreateUsers Invite Remove RemoveRoleOverride ResetPassword RevokeSession Suspend Unsuspend UpdateUserRoles UpdateUserValidation
ValueSimulationService: DisableValueSimulations UpdateValueSimulations
ValveService: BleedHighPressureLine ConfirmHighPressureLineIsZero ConfirmHighPressureLineUnderPressure ConfirmValveIsReset Initialize Operate ResetValve
WebhookDeliveryService: Resend Test
WebhookService: Create Delete Disable Enable Update UpdateFilter UpdateTags UpdateWebhooks
`;

describe('the effect of an rpc', () => {
  test('is a change for the listed rpcs', () => {
    const changes = methods.filter((method) => effectOf(method) === 'change');
    const lines = [...groupBy(changes, (method) => method.parent.name)].map(([service, rpcs]) => {
      const names = rpcs.map((method) => method.name).toSorted();
      return `${service}: ${names.join(' ')}`;
    });
    expect(lines.toSorted()).toEqual(CHANGING_RPCS.trim().split('\n'));
  });

  test('is not a change to the organization if it affects only the caller', () => {
    const ownServices = methods.filter((method) => effectOf(method) === 'own').map((method) => method.parent.name);
    expect([...new Set(ownServices)].toSorted()).toEqual([
      'CurrentUserService',
      'RoleService',
      'SingleSignOnService',
      'SupportService',
      'UnitPreferencesService',
    ]);
    const { revoke } = SessionService.method;
    expect(effectOf(revoke, create(revoke.input))).toBe('own');
    expect(effectOf(revoke, create(revoke.input, { userId: 'someone' }))).toBe('change');
    const { list } = SessionService.method;
    expect(effectOf(list, create(list.input))).toBe('own');
    expect(effectOf(list, create(list.input, { userId: 'someone' }))).toBe('read');
  });
});
