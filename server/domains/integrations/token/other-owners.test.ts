import { Code } from '@connectrpc/connect';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { membership } from '#server/db/schema/user.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { MODEMS, TAGS_MANAGE } = OrganizationPermission;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(tokens));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(TokenService);

describe("someone else's token", () => {
  const forUserId = demoPerson('viewer').id;
  const createForViewer = async () => {
    const organizationPermissions = { include: [MODEMS] };
    const { created } = await administrator().create({ name: 'theirs', forUserId, organizationPermissions });
    return created?.id ?? 0n;
  };

  test('can have only permissions that the owner and the caller hold, and no user permissions', async () => {
    const tokenIds = [await createForViewer()];
    const add = administrator().updateTokenOrganizationPermissions({
      tokenIds,
      addOrganizationPermissions: [TAGS_MANAGE],
    });
    await expect(add).rejects.toThrow("Bram de Wit doesn't hold TAGS_MANAGE");
    const replaceRoles = administrator().updateTokenRoles({
      tokenIds,
      update: { case: 'replace', value: { roles: ['operator'] } },
    });
    await expect(replaceRoles).rejects.toThrow('every permission of the role "operator"');
    const addUserPermissions = administrator().updateTokenUserPermissions({
      tokenIds,
      addUserPermissions: [UserPermission.READ],
    });
    await expect(addUserPermissions).rejects.toThrow('belongs to someone else');
    const developer = t.as('developer').client(TokenService);
    const withoutPermission = developer.updateTokenOrganizationPermissions({
      tokenIds,
      addOrganizationPermissions: [MODEMS],
    });
    await expect(withoutPermission).rejects.toThrow('USERS_MANAGE');
  });

  test("can't be granted permissions after its owner leaves, and PERSONAL tokens stop working", async () => {
    const viewer = t.as('viewer');
    const tokenIds = [await createForViewer()];
    const developer = t.as('developer').client(TokenService);
    const { token: secret } = await developer.create({ name: 'mine', type: Token_Type.PERSONAL });
    await expect(t.with(secret).client(CurrentUserService).currentUser({})).resolves.toMatchObject({
      currentOrganization: 'northwind',
    });
    const belongsToLeaver = inArray(membership.userId, [forUserId, demoPerson('developer').id]);
    const memberships = await t.app.db.orm.delete(membership).where(belongsToLeaver).returning();
    onTestFinished(async () => void (await t.app.db.orm.insert(membership).values(memberships)));
    const add = { tokenIds, addOrganizationPermissions: [MODEMS] };
    await expect(administrator().updateTokenOrganizationPermissions(add)).rejects.toThrow('no longer a member');
    await expect(t.with(secret).client(OrganizationService).get({})).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(viewer.client(OrganizationService).get({})).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});
