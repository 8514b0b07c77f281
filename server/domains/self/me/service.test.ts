import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const user = (kind: 'viewer' | 'support' | 'newcomer') => t.as(kind).client(CurrentUserService);

describe('the caller', () => {
  test('can choose a default organization that they belong to, or one of its descendants', async () => {
    await user('viewer').updateDefaultOrganization({ organization: 'northwind-north' });
    await expect(user('viewer').currentUser({})).resolves.toMatchObject({
      defaultOrganization: 'northwind-north',
      currentOrganization: 'northwind-north',
      organizations: ['northwind'],
      roles: ['viewer'],
    });
    const denied = { code: Code.PermissionDenied };
    await expect(user('viewer').updateDefaultOrganization({ organization: 'quarterdeck' })).rejects.toMatchObject(
      denied,
    );
    // Support staff can act for every organization, but are not members.
    await expect(user('support').updateDefaultOrganization({ organization: 'northwind' })).rejects.toMatchObject(
      denied,
    );
    await expect(user('newcomer').updateDefaultOrganization({ organization: 'northwind' })).rejects.toMatchObject(
      denied,
    );
    await expect(user('viewer').updateDefaultOrganization({})).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('can store settings, but only as a JSON object', async () => {
    const update = '{"defaultScreen":"/devices"}';
    await expect(user('viewer').updateMissionControlSettings({ update })).resolves.toMatchObject({
      missionControlSettings: update,
    });
    for (const settings of ['', 'no', '[]', '"text"', `{"a":"${'x'.repeat(70_000)}"}`]) {
      await expect(user('viewer').updateMissionControlSettings({ update: settings })).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
    await expect(user('viewer').currentUser({})).resolves.toMatchObject({ missionControlSettings: update });
  });

  test('accepts the terms and can withdraw acceptance', async () => {
    for (const acceptTac of [false, true]) {
      await user('newcomer').acceptTermsAndConditions({ acceptTac });
      await expect(user('newcomer').currentUser({})).resolves.toMatchObject({ acceptedTac: acceptTac });
    }
  });
});
