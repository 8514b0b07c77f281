import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const me = (kind: 'administrator' | 'operator' | 'support') => t.as(kind).client(CurrentUserService);
const selectRoles = (...include: string[]) => ({ selection: { roles: { include } } });
const permissionDenied = { code: Code.PermissionDenied };

describe('a role override', () => {
  test("replaces the caller's roles in that organization only, until restored", async () => {
    const { currentUser, request } = await me('administrator').overrideRoles(selectRoles('viewer'));
    expect(currentUser).toMatchObject({
      currentOrganization: 'northwind',
      roles: ['viewer'],
      activeRoleOverride: true,
    });
    expect(request).toMatchObject({ organization: 'northwind' });
    const users = t.as('administrator').client(UserService);
    await expect(users.list({})).rejects.toMatchObject(permissionDenied);
    await expect(users.list({ organization: 'northwind-north' })).resolves.toBeDefined();
    await expect(me('administrator').currentUser({ organization: 'northwind-north' })).resolves.toMatchObject({
      roles: ['administrator'],
      activeRoleOverride: false,
    });
    // Switch from one role to another without restoring in between.
    await t.as('administrator').client(RoleService).override(selectRoles('operator'));
    await expect(me('administrator').currentUser({})).resolves.toMatchObject({ roles: ['operator'] });
    const response = await me('administrator').restoreRoles({ organization: ['northwind'] });
    expect(response.currentUser).toMatchObject({ roles: ['administrator'], activeRoleOverride: false });
    const { users: listed } = await users.list({ selection: { userIds: ['demo-administrator'] } });
    expect(listed).toMatchObject([{ roles: ['administrator'], hasActiveRoleOverride: false }]);
  });

  test("never grants more than the caller has, even if the caller's own roles change in the meantime", async () => {
    await expect(me('operator').overrideRoles(selectRoles('administrator'))).rejects.toMatchObject(permissionDenied);
    await expect(me('operator').overrideRoles(selectRoles('king'))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
    await expect(me('operator').overrideRoles({ selection: { search: 'xyz' } })).rejects.toThrow('at least one');
    const { currentUser } = await me('operator').overrideRoles({});
    expect(currentUser?.roles).toEqual(['viewer', 'operator']);
    await t
      .as('administrator')
      .client(UserService)
      .updateUserRoles({ userIds: ['demo-operator'], update: { case: 'replace', value: { roles: ['viewer'] } } });
    await expect(me('operator').currentUser({})).resolves.toMatchObject({
      roles: ['viewer'],
      activeRoleOverride: false,
    });
  });

  test('can be ended by administrators and does not apply to SPECIFIC tokens', async () => {
    const tokens = t.as('administrator').client(TokenService);
    const personal = await tokens.create({ name: 'personal', type: Token_Type.PERSONAL });
    const specific = await tokens.create({ name: 'specific', roles: { include: ['administrator'] } });
    await me('administrator').overrideRoles(selectRoles('viewer'));
    const currentUserOf = (token: string) => t.with(token).client(CurrentUserService).currentUser({});
    await expect(currentUserOf(personal.token)).resolves.toMatchObject({ roles: ['viewer'], activeRoleOverride: true });
    await expect(currentUserOf(specific.token)).resolves.toMatchObject({
      roles: ['administrator'],
      activeRoleOverride: false,
    });
    const manager = t.with(specific.token).client(UserService);
    const { users } = await manager.list({ selection: { userIds: ['demo-administrator'] } });
    expect(users).toMatchObject([{ hasActiveRoleOverride: true, roles: ['administrator'] }]);
    await manager.removeRoleOverride({ userIds: ['demo-administrator'] });
    await expect(me('administrator').currentUser({})).resolves.toMatchObject({ roles: ['administrator'] });
  });

  test('does not affect support staff in other organizations', async () => {
    await me('support').overrideRoles({ organization: 'quarterdeck', ...selectRoles('viewer') });
    await expect(me('support').currentUser({ organization: 'northwind' })).resolves.toMatchObject({
      roles: ['support'],
    });
    await me('support').restoreRoles({});
    await expect(me('support').currentUser({})).resolves.toMatchObject({
      roles: ['support'],
      activeRoleOverride: false,
    });
  });
});
