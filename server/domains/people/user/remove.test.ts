import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator'));
const listTokens = async () => (await administrator().tokens.list({})).tokens.map(({ name }) => name);

describe('removing a member', () => {
  test('ends their access and deletes the tokens that act for them', async () => {
    const { me, tokens } = await joinOrganization(t, newUser('ada'), ['developer']);
    const organizationPermissions = { include: [OrganizationPermission.MODEMS] };
    await tokens.create({ name: 'personal', type: Token_Type.PERSONAL });
    await tokens.create({
      name: 'reader',
      organizationPermissions,
      userPermissions: { include: [UserPermission.READ] },
    });
    await tokens.create({ name: 'machine', organizationPermissions });
    await administrator().users.remove({ userIds: ['id-ada'] });
    expect(await listTokens()).toEqual(['machine']);
    const user = await me.currentUser({});
    expect([user.organizations, user.currentOrganization, user.defaultOrganization]).toEqual([
      [],
      undefined,
      undefined,
    ]);
    const { events } = await t
      .as('administrator')
      .client(EventService)
      .history({ selection: { events: { include: [EventType.USER_ADDED, EventType.USER_REMOVED] } } });
    expect(events.map(({ description }) => description)).toEqual([
      'ada (ada@example.com) is no longer a member.',
      'ada (ada@example.com) became a member.',
    ]);
  });

  test('deletes all their tokens on request', async () => {
    const { tokens } = await joinOrganization(t, newUser('bo'), ['developer']);
    await tokens.create({ name: 'other machine' });
    await administrator().users.remove({ userIds: ['id-bo'], removeAllTokens: true });
    expect(await listTokens()).not.toContain('other machine');
  });

  test('fails as a whole if it names users of other organizations', async () => {
    const remove = (userIds: string[]) => administrator().users.remove({ userIds });
    await expect(remove(['demo-viewer', 'demo-support'])).rejects.toMatchObject({ code: Code.NotFound });
    await expect(remove([])).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect((await administrator().users.list({})).users.map(({ id }) => id)).toContain('demo-viewer');
    await expect(createClients(t.as('operator')).users.remove({ userIds: ['demo-viewer'] })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
  });

  test('keeps one of two administrators who remove each other at the same time', async () => {
    const { users } = await joinOrganization(t, newUser('cy'), ['administrator']);
    const outcomes = await Promise.allSettled([
      users.remove({ userIds: ['demo-administrator'] }),
      administrator().users.remove({ userIds: ['id-cy'] }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
