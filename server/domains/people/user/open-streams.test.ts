import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { startTestServer, type TestCaller, type TestServer } from '#server/testkit/server.ts';
import { createClients } from '#server/testkit/users.ts';

const HOUR = 3_600_000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

/** Opens a stream as a console does, and resolves once it's open. `ended` resolves when the stream ends. */
async function openConsole(caller: TestCaller): Promise<{ ended: Promise<string> }> {
  const options = { headers: { 'quarterdeck-keep-alive': '5' } };
  const stream = caller.client(EventService).stream({}, options)[Symbol.asyncIterator]();
  await stream.next();
  const wait = async (): Promise<string> => {
    for (let next = await stream.next(); !next.done; next = await stream.next());
    return 'ended';
  };
  return { ended: wait() };
}

describe('an open console', () => {
  test("loses its stream when its user is suspended, and can't open another", async () => {
    const { ended } = await openConsole(t.as('viewer'));
    const otherConsole = await openConsole(t.as('developer'));
    await createClients(t.as('administrator')).users.suspend({ userIds: ['demo-viewer'] });
    expect(await ended).toBe('ended');
    await expect(openConsole(t.as('viewer'))).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(await Promise.race([otherConsole.ended, Promise.resolve('open')])).toBe('open');
    await createClients(t.as('administrator')).users.unsuspend({ userIds: ['demo-viewer'] });
  });

  test("loses its stream when its user's roles change, and can open another", async () => {
    const { ended } = await openConsole(t.as('viewer'));
    await createClients(t.as('administrator')).users.updateUserRoles({
      userIds: ['demo-viewer'],
      update: { case: 'replace', value: { roles: ['installer'] } },
    });
    expect(await ended).toBe('ended');
    await expect(openConsole(t.as('viewer'))).resolves.toBeDefined();
  });

  test('loses its stream when its token is deleted', async () => {
    const { tokens } = createClients(t.as('developer'));
    const { token, created } = await tokens.create({ name: 'listener' });
    const { ended } = await openConsole(t.with(token));
    await tokens.delete({ tokenId: created?.id });
    expect(await ended).toBe('ended');
    await expect(openConsole(t.with(token))).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test('loses its stream when its token expires', async () => {
    const { tokens } = createClients(t.as('developer'));
    const { token } = await tokens.create({
      name: 'for an hour',
      expiresAt: { textual: new Date(t.app.now().getTime() + HOUR).toISOString() },
    });
    t.advance(HOUR - 3000);
    const { ended } = await openConsole(t.with(token));
    expect(await ended).toBe('ended');
    await expect(openConsole(t.with(token))).rejects.toThrow('has expired');
  });
});
