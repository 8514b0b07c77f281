import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { clientsOf, joined, stranger } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => clientsOf(t.as('administrator'));
const later = (seconds: number) => new Date(t.app.now().getTime() + seconds * 1000);
const unauthenticated = { code: Code.Unauthenticated };
const standing = async (userId: string) =>
  (
    await t
      .as('administrator')
      .client(SessionService)
      .members({ userIds: [userId] })
  ).members[0];

describe('a suspended member', () => {
  it('is told so and by whom, while their tokens go on, until they are let in again', async () => {
    const { token } = await clientsOf(t.as('developer')).tokens.create({ name: 'mine', type: Token_Type.PERSONAL });
    const userIds = ['demo-developer'];
    await administrator().users.suspend({ userIds });
    const { me } = clientsOf(t.as('developer'));
    await expect(me.currentUser({})).rejects.toMatchObject({
      ...unauthenticated,
      rawMessage: 'Your access was suspended by an administrator of Northwind Energy.',
    });
    await expect(clientsOf(t.with(token)).me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
    expect(await standing('demo-developer')).toMatchObject({ suspended: true, emailVerified: true });
    await administrator().users.unsuspend({ userIds });
    await expect(me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
  });

  it('is of one organization only, and not the one who suspends', async () => {
    await joined(t, stranger('ada'), ['viewer'], 'northwind-north');
    await joined(t, stranger('ada'), ['viewer']);
    const suspend = (id: string) => administrator().users.suspend({ userIds: [id] });
    await expect(suspend('id-ada')).rejects.toThrow('also belongs to another organization');
    await expect(suspend('demo-administrator')).rejects.toThrow('cannot suspend yourself');
    await expect(suspend('demo-support')).rejects.toMatchObject({ code: Code.NotFound });
  });
});

it('a suspension ends nothing in an organization that lets somebody in afterwards', async () => {
  const { me, tokens } = await joined(t, stranger('bo'), ['developer']);
  await me.requestAccess({ organization: 'quarterdeck' });
  await administrator().users.suspend({ userIds: ['id-bo'] });
  await expect(me.currentUser({})).rejects.toMatchObject(unauthenticated);
  const staff = clientsOf(t.as('support')).users;
  await staff.approve({ userIds: ['id-bo'], roles: { include: ['viewer'] } });
  await expect(me.currentUser({})).resolves.toMatchObject({ currentOrganization: 'quarterdeck', roles: ['viewer'] });
  const there = tokens.list({ organization: 'northwind' });
  await expect(there).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(there).rejects.toThrow('Your access to "northwind" was suspended');
});

describe('revoked sessions', () => {
  it('must sign in anew, wherever they are; tokens go on', async () => {
    const { token } = await clientsOf(t.as('developer')).tokens.create({
      name: 'goes on',
      type: Token_Type.PERSONAL,
    });
    const before = t.with(idTokenOf({ ...demoPerson('developer'), authTime: later(-3600) }));
    const unused = t.with(idTokenOf({ ...demoPerson('developer'), authTime: later(-60) }));
    await clientsOf(before).me.currentUser({});
    await administrator().users.revokeSession({ userIds: ['demo-developer'] });
    for (const old of [before, unused]) {
      await expect(clientsOf(old).me.currentUser({})).rejects.toMatchObject(unauthenticated);
    }
    await expect(clientsOf(t.with(token)).me.currentUser({})).resolves.toBeDefined();
    const again = t.with(idTokenOf({ ...demoPerson('developer'), authTime: later(5) }));
    await expect(clientsOf(again).me.currentUser({})).resolves.toMatchObject({ roles: ['developer'] });
    expect((await standing('demo-developer'))?.signIns).toBe(1);
  });
});
