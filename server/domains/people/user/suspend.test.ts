import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator'));
const secondsFromNow = (seconds: number) => new Date(t.app.now().getTime() + seconds * 1000);
const unauthenticated = { code: Code.Unauthenticated };
const readMemberStatus = async (userId: string) =>
  (
    await t
      .as('administrator')
      .client(SessionService)
      .members({ userIds: [userId] })
  ).members[0];

describe('a suspended member', () => {
  test('receives the reason, keeps their tokens, and can be reinstated', async () => {
    const { token } = await createClients(t.as('developer')).tokens.create({ name: 'mine', type: Token_Type.PERSONAL });
    const userIds = ['demo-developer'];
    await administrator().users.suspend({ userIds });
    const { me } = createClients(t.as('developer'));
    await expect(me.currentUser({})).rejects.toMatchObject({
      ...unauthenticated,
      rawMessage: 'Your access was suspended by an administrator of Northwind Energy.',
    });
    await expect(createClients(t.with(token)).me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
    expect(await readMemberStatus('demo-developer')).toMatchObject({ suspended: true, emailVerified: true });
    await administrator().users.unsuspend({ userIds });
    await expect(me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
  });

  test("must belong to this organization only and can't be the caller", async () => {
    await joinOrganization(t, newUser('ada'), ['viewer'], 'northwind-north');
    await joinOrganization(t, newUser('ada'), ['viewer']);
    const suspend = (id: string) => administrator().users.suspend({ userIds: [id] });
    await expect(suspend('id-ada')).rejects.toThrow('also belongs to another organization');
    await expect(suspend('demo-administrator')).rejects.toThrow("can't suspend yourself");
    await expect(suspend('demo-support')).rejects.toMatchObject({ code: Code.NotFound });
  });
});

test('a suspended member can still act in an organization that admits them afterwards', async () => {
  const { me, tokens } = await joinOrganization(t, newUser('bo'), ['developer']);
  await me.requestAccess({ organization: 'quarterdeck' });
  await administrator().users.suspend({ userIds: ['id-bo'] });
  await expect(me.currentUser({})).rejects.toMatchObject(unauthenticated);
  const staff = createClients(t.as('support')).users;
  await staff.approve({ userIds: ['id-bo'], roles: { include: ['viewer'] } });
  await expect(me.currentUser({})).resolves.toMatchObject({ currentOrganization: 'quarterdeck', roles: ['viewer'] });
  const suspendedCall = tokens.list({ organization: 'northwind' });
  await expect(suspendedCall).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(suspendedCall).rejects.toThrow('Your access to "northwind" was suspended');
});

describe('revoking sessions', () => {
  test('signs the user out everywhere, but leaves tokens valid', async () => {
    const { token } = await createClients(t.as('developer')).tokens.create({
      name: 'kept',
      type: Token_Type.PERSONAL,
    });
    const active = t.with(createIdToken({ ...demoPerson('developer'), authTime: secondsFromNow(-3600) }));
    const unused = t.with(createIdToken({ ...demoPerson('developer'), authTime: secondsFromNow(-60) }));
    await createClients(active).me.currentUser({});
    await administrator().users.revokeSession({ userIds: ['demo-developer'] });
    for (const caller of [active, unused]) {
      await expect(createClients(caller).me.currentUser({})).rejects.toMatchObject(unauthenticated);
    }
    await expect(createClients(t.with(token)).me.currentUser({})).resolves.toBeDefined();
    const newSignIn = t.with(createIdToken({ ...demoPerson('developer'), authTime: secondsFromNow(5) }));
    await expect(createClients(newSignIn).me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
    expect((await readMemberStatus('demo-developer'))?.signIns).toBe(1);
  });
});
