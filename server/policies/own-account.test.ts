import { create, type Message } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UnitPreferences_RequestSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { methodNamed, methods } from '#server/testkit/policies/rpcs.ts';
import {
  demoPerson,
  createIdToken,
  captureError,
  startTestServer,
  type TestServer,
  transportFor,
} from '#server/testkit/server.ts';

import { effectOf, rpcName } from './rpcs.ts';

/**
 * The permission that lets a SPECIFIC token see or change its owner's own data, copied from the contract (user
 * permissions; per-rpc annotations of services.tsv) and, for our own packages, from the comments of the proto files.
 */
type RequiredPermission =
  /** Only this user permission. */
  | keyof typeof UserPermission
  /** No permission: the response contains only what the token already proves. */
  | 'nothing'
  /** Impossible for this kind of token, with any permissions. */
  | 'a person'
  /** A permission of support staff, which cannot be granted to a token. */
  | 'CUSTOMER_SUPPORT'
  /** About the organization rather than the token's owner. */
  | 'USERS_MANAGE';

const requiredPermissions: Readonly<Record<string, RequiredPermission>> = {
  'hiber.email.EmailNotificationPreferencesService.View': 'READ',
  'hiber.email.EmailNotificationPreferencesService.Update': 'UPDATE',
  'hiber.email.EmailNotificationPreferencesService.Delete': 'UPDATE',
  'hiber.role.RoleService.Override': 'UPDATE',
  'hiber.role.RoleService.Restore': 'UPDATE',
  'hiber.sso.SingleSignOnService.Zendesk': 'a person',
  'hiber.user.CurrentUserService.CurrentUser': 'nothing',
  'hiber.user.CurrentUserService.AccessibleOrganizations': 'READ',
  'hiber.user.CurrentUserService.UpdateDefaultOrganization': 'UPDATE',
  'hiber.user.CurrentUserService.UpdateMissionControlSettings': 'UPDATE',
  'hiber.user.CurrentUserService.AcceptTermsAndConditions': 'UPDATE',
  'hiber.user.CurrentUserService.LogPasswordUpdated': 'UPDATE',
  'hiber.user.CurrentUserService.OverrideRoles': 'UPDATE',
  'hiber.user.CurrentUserService.RestoreRoles': 'UPDATE',
  'hiber.user.CurrentUserService.RequestAccess': 'REQUEST_ACCESS',
  'hiber.user.CurrentUserService.CancelAccessRequest': 'REQUEST_ACCESS',
  'hiber.user.CurrentUserService.ListOrganizationInvites': 'REQUEST_ACCESS',
  'hiber.user.CurrentUserService.AcceptOrganizationInvite': 'REQUEST_ACCESS',
  'hiber.user.CurrentUserService.DeleteCurrentUser': 'DELETE',
  'hiber.value.UnitPreferencesService.UnitPreferences': 'UPDATE',
  'quarterdeck.session.v1.SessionService.List': 'READ',
  'quarterdeck.session.v1.SessionService.Revoke': 'UPDATE',
  'quarterdeck.support.v1.SupportService.BeginSupportSession': 'CUSTOMER_SUPPORT',
  'quarterdeck.support.v1.SupportService.AllowChanges': 'CUSTOMER_SUPPORT',
  'quarterdeck.support.v1.SupportService.EndSupportSession': 'CUSTOMER_SUPPORT',
  'quarterdeck.support.v1.SupportService.ListSupportSessions': 'USERS_MANAGE',
  'quarterdeck.support.v1.SupportService.ListCalls': 'USERS_MANAGE',
  'quarterdeck.support.v1.SupportService.IssueCreationToken': 'CUSTOMER_SUPPORT',
};

/** Requests that change something, for rpcs that change nothing if the request is empty. */
const requests: Readonly<Record<string, Message>> = {
  'hiber.value.UnitPreferencesService.UnitPreferences': create(UnitPreferences_RequestSchema, {
    distance: { case: 'removeDistancePreference', value: true },
  }),
};

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ config: { helpDesk: { url: 'https://help.example', secret: 'secret' } } });
});
afterAll(() => t.close());

let tokenCount = 0;
const anHourAgo = Date.now() - 3_600_000;
/** Signs in again each time, at a different second, because one of the calls ends all other sign-ins. */
const administrator = () => {
  const authTime = new Date(anHourAgo + tokenCount * 1000);
  return t.with(createIdToken({ ...demoPerson('administrator'), authTime })).client(TokenService);
};
async function createToken(
  userPermissions: (keyof typeof UserPermission)[],
  organizationPermissions: OrganizationPermission[] = [],
) {
  const { token } = await administrator().create({
    name: `token ${(tokenCount += 1)}`,
    userPermissions: { include: userPermissions.map((name) => UserPermission[name]) },
    organizationPermissions: { include: organizationPermissions },
  });
  return transportFor(t.app, token);
}

test('covers every rpc that affects only the caller, and event emails', () => {
  const ownMethods = methods.filter(
    (method) =>
      effectOf(policyOf(method), method, create(method.input)) === 'own' ||
      (method.parent.name === 'EmailNotificationPreferencesService' && method.name !== 'History'),
  );
  expect(Object.keys(requiredPermissions).toSorted()).toEqual(ownMethods.map(rpcName).toSorted());
});

test('requires no permission for a token to call CurrentUser', async () => {
  const openRpcs = Object.keys(requiredPermissions).filter((name) => requiredPermissions[name] === 'nothing');
  const transport = await createToken([]);
  const errors = await Promise.all(openRpcs.map((name) => captureError(transport, methodNamed.get(name)!)));
  expect(errors).toEqual([undefined]);
});

test.each(Object.entries(requiredPermissions).filter(([, required]) => required !== 'nothing'))(
  'requires a permission for a token to call %s: %s',
  async (name, required) => {
    const method = methodNamed.get(name)!;
    const request = requests[name] ?? create(method.input);
    const expected = required === 'a person' ? 'Only a person' : `You need the ${required} permission`;
    // This includes every permission in the organization, and none for the owner's account.
    const allOrganizationPermissions = Object.values(OrganizationPermission).filter((value) => value !== 0);
    const errorWithout = await captureError(
      await createToken([], required === 'USERS_MANAGE' ? [] : allOrganizationPermissions),
      method,
      request,
    );
    expect(errorWithout).toMatchObject({ code: Code.PermissionDenied });
    expect(errorWithout?.rawMessage).toMatch(required === 'a person' ? expected : /^You need the \w+ permission/);
    if (required === 'a person') return;
    const otherPermissions = (Object.keys(UserPermission) as (keyof typeof UserPermission)[]).filter(
      // UPDATE and DELETE include READ.
      (item) => item !== required && !(required === 'READ' && item !== 'REQUEST_ACCESS'),
    );
    const error = await captureError(await createToken(otherPermissions), method, request);
    expect(error?.rawMessage).toContain(expected);
    if (!(required in UserPermission)) return;
    const errorWith = await captureError(await createToken([required as keyof typeof UserPermission]), method, request);
    expect(errorWith?.rawMessage ?? '').not.toContain('permission');
  },
);
