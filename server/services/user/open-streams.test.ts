import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventService } from '#proto/hiber/event_service_pb';
import { startTestServer, type TestServer } from '../../testing.ts';
import { clientsOf } from './test-kit.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

/** A console that stays open: resolves once its stream is open, to what settles when the stream has ended. */
async function openConsole(kind: 'viewer' | 'developer'): Promise<{ ended: Promise<string> }> {
  const options = { headers: { 'quarterdeck-keep-alive': '5' } };
  const stream = t.as(kind).client(EventService).stream({}, options)[Symbol.asyncIterator]();
  await stream.next();
  const wait = async (): Promise<string> => {
    for (let next = await stream.next(); !next.done; next = await stream.next());
    return 'ended';
  };
  return { ended: wait() };
}

describe('an open console', () => {
  it('hears nothing more once its user is suspended, and is told why when it asks again', async () => {
    const { ended } = await openConsole('viewer');
    const other = await openConsole('developer');
    await clientsOf(t.as('administrator')).users.suspend({ userIds: ['demo-viewer'] });
    expect(await ended).toBe('ended');
    await expect(openConsole('viewer')).rejects.toMatchObject({ code: Code.Unauthenticated });
    const race = Promise.race([other.ended, Promise.resolve('open')]);
    expect(await race).toBe('open');
    await clientsOf(t.as('administrator')).users.unsuspend({ userIds: ['demo-viewer', 'demo-developer'] });
  });

  it('opens its stream anew with what its user may see after a change of roles', async () => {
    const { ended } = await openConsole('viewer');
    await clientsOf(t.as('administrator')).users.updateUserRoles({
      userIds: ['demo-viewer'],
      update: { case: 'replace', value: { roles: ['installer'] } },
    });
    expect(await ended).toBe('ended');
    await expect(openConsole('viewer')).resolves.toBeDefined();
  });
});
