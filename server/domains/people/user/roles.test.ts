import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator')).users;
const readRoles = async (id: string) => (await administrator().list({ selection: { userIds: [id] } })).users[0]?.roles;
const denied = { code: Code.PermissionDenied };
const failed = { code: Code.FailedPrecondition };

describe("members' roles", () => {
  test('are added, removed, and replaced for all requested members or none', async () => {
    const userIds = ['demo-viewer', 'demo-operator'];
    await administrator().updateUserRoles({
      userIds,
      update: { case: 'modify', value: { add: ['installer', 'viewer'], remove: ['viewer'] } },
    });
    expect([await readRoles('demo-viewer'), await readRoles('demo-operator')]).toEqual([
      ['installer'],
      ['operator', 'installer'],
    ]);
    const noRoles = { userIds, update: { case: 'replace' as const, value: { roles: [] } } };
    await expect(administrator().updateUserRoles(noRoles)).rejects.toThrow('at least one role');
    expect(await readRoles('demo-operator')).toEqual(['operator', 'installer']);
    await administrator().updateUserRoles({ ...noRoles, overrideAllowNoRoles: true });
    expect(await readRoles('demo-operator')).toEqual([]);
    await expect(
      administrator().updateUserRoles({ ...noRoles, userIds: ['demo-viewer', 'demo-support'] }),
    ).rejects.toMatchObject({ code: Code.NotFound });
  });

  test("can't include permissions that the caller doesn't have", async () => {
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({
        name: 'manager of users',
        organizationPermissions: { include: [OrganizationPermission.USERS_MANAGE] },
        userPermissions: { include: [UserPermission.READ] },
      });
    const manager = createClients(t.with(token)).users;
    const grant = (role: string) =>
      manager.updateUserRoles({
        userIds: ['demo-viewer'],
        update: { case: 'modify', value: { add: [role], remove: [] } },
      });
    await expect(grant('operator')).rejects.toMatchObject(denied);
    // Support staff can grant the support role only in their own organization, not while acting for a customer.
    const support = createClients(t.as('support')).users;
    const inviteStaff = (organization: string) =>
      support.invite({ organization, email: 'new@example.com', roles: { include: ['support'] } });
    await t.as('support').client(SupportService).allowChanges({ organization: 'northwind' });
    await expect(inviteStaff('northwind')).rejects.toThrow('You can\'t grant the role "support"');
    await inviteStaff('quarterdeck');
    const { roles } = await t.as('support').client(RoleService).list({ organization: 'northwind' });
    expect(roles.find(({ identifier }) => identifier === 'support')?.grantable).toBe(false);
  });
});

describe('the last administrator', () => {
  test("can't be removed, suspended, or demoted until another administrator joins", async () => {
    const userIds = ['demo-administrator'];
    const demote = () =>
      administrator().updateUserRoles({ userIds, update: { case: 'replace', value: { roles: ['viewer'] } } });
    await expect(administrator().remove({ userIds })).rejects.toMatchObject(failed);
    await expect(administrator().suspend({ userIds })).rejects.toMatchObject(failed);
    await expect(demote()).rejects.toThrow('Make someone else an administrator first');
    const { users } = await joinOrganization(t, newUser('ada'), ['administrator']);
    await demote();
    await expect(administrator().listInvitations({})).rejects.toMatchObject(denied);
    await expect(users.remove({ userIds: ['id-ada'] })).rejects.toMatchObject(failed);
    await users.updateUserRoles({ userIds, update: { case: 'replace', value: { roles: ['administrator'] } } });
    await users.remove({ userIds: ['id-ada'] });
  });
});
