import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const HOUR = 3_600_000;
const startedAt = new Date(Math.floor(Date.now() / 1000) * 1000 - HOUR);
const browser = (hoursAgo: number, kind: 'viewer' | 'administrator' = 'viewer') =>
  t.with(createIdToken({ ...demoPerson(kind), authTime: new Date(startedAt.getTime() - hoursAgo * HOUR) }));
const sessions = (caller: ReturnType<typeof browser>) => caller.client(SessionService);
const inConsole = {
  headers: { 'x-client-name': 'quarterdeck-console', 'x-client-version': '1.2', 'user-agent': 'Firefox' },
};

describe("the caller's sign-ins", () => {
  test('are listed with their clients, newest first, with one entry per sign-in', async () => {
    await sessions(browser(2)).list({});
    await sessions(browser(1)).list({}, inConsole);
    const { signIns } = await sessions(browser(1)).list({});
    expect(signIns.map(({ current, client, userAgent }) => [current, client, userAgent])).toEqual([
      [true, 'quarterdeck-console 1.2', 'Firefox'],
      [false, '', expect.any(String)],
    ]);
    expect(signIns[0]?.signedInAt?.textual).toBe(
      new Date(startedAt.getTime() - HOUR).toISOString().replace('.000', ''),
    );
  });

  test('update their last-seen time at most once a minute', async () => {
    const lastSeen = async () => (await sessions(browser(1)).list({})).signIns[0]?.lastSeenAt?.textual;
    const first = await lastSeen();
    t.advance(30_000);
    expect(await lastSeen()).toBe(first);
    t.advance(31_000);
    await lastSeen();
    expect(await lastSeen()).not.toBe(first);
  });

  test('can be ended from another sign-in, individually or all at once', async () => {
    const { signIns } = await sessions(browser(1)).list({});
    const otherSignIn = signIns.find(({ current }) => !current);
    await expect(sessions(browser(1)).revoke({ ids: [otherSignIn?.id ?? ''] })).resolves.toMatchObject({ revoked: 1 });
    await expect(sessions(browser(2)).list({})).rejects.toMatchObject({
      code: Code.Unauthenticated,
      rawMessage: 'You ended this sign-in from another device or browser. Sign in again.',
    });
    await sessions(browser(3)).list({});
    await sessions(browser(4)).list({});
    await expect(sessions(browser(1)).revoke({})).resolves.toMatchObject({ revoked: 2 });
    expect((await sessions(browser(1)).list({})).signIns).toHaveLength(1);
    await expect(sessions(browser(1)).revoke({ ids: ['nonsense'] })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test('can be ended with a token only if it has UPDATE', async () => {
    const { token } = await createClients(t.as('developer')).tokens.create({
      name: 'reader',
      userPermissions: { include: [UserPermission.READ] },
    });
    await expect(sessions(t.with(token)).list({})).resolves.toBeDefined();
    await expect(sessions(t.with(token)).revoke({})).rejects.toThrow('UPDATE');
  });
});

describe("a member's sign-ins", () => {
  test("can be seen and ended by user managers of the member's only organization", async () => {
    const administrator = sessions(browser(0, 'administrator'));
    const userId = 'demo-viewer';
    const { signIns } = await administrator.list({ userId });
    expect(signIns.map((signIn) => signIn.userId)).toEqual([userId]);
    await expect(administrator.revoke({ userId })).resolves.toMatchObject({ revoked: 1 });
    await expect(sessions(browser(1)).list({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(administrator.list({ userId: 'demo-support' })).rejects.toMatchObject({ code: Code.NotFound });
    await joinOrganization(t, newUser('ada'), ['viewer'], 'northwind-north');
    await joinOrganization(t, newUser('ada'), ['viewer']);
    await expect(administrator.revoke({ userId: 'id-ada' })).rejects.toMatchObject({ code: Code.FailedPrecondition });
  });

  test('are hidden from everyone else', async () => {
    const operator = t.as('operator').client(SessionService);
    await expect(operator.list({ userId: 'demo-viewer' })).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(operator.members({})).rejects.toMatchObject({ code: Code.PermissionDenied });
    const newcomer = t.as('newcomer').client(SessionService);
    await expect(newcomer.list({ userId: 'demo-viewer' })).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(newcomer.list({})).resolves.toMatchObject({ signIns: [{ current: true }] });
  });
});
