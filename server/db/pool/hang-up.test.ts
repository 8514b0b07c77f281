// Work that callers share or that can't be rolled back continues when a caller hangs up.
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { Health, HealthCheckResponse_ServingStatus as Status } from '#proto/gen/grpc/health/v1/health_pb.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startReceiver } from '#server/testkit/publishing.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { withoutCaller } from './work.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

/** Creates the options for a caller who can hang up. */
function createCaller() {
  const controller = new AbortController();
  return { hangUp: () => controller.abort(), options: { signal: controller.signal } };
}
const settle = (call: Promise<unknown>): Promise<string> => call.then(() => 'ok', String);

test('finishes a shared health check when one of its callers hangs up', async () => {
  const clients = await Promise.all(
    Array.from({ length: t.app.db.kind === 'pglite' ? 1 : 10 }, () => t.app.db.pool.connect()),
  );
  const health = t.with(undefined).client(Health);
  const first = createCaller();
  const canceledCheck = settle(health.check({}, first.options));
  const otherCheck = health.check({});
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.hangUp();
  expect(await canceledCheck).toContain('canceled');
  for (const client of clients) client.release();
  expect(await otherCheck).toMatchObject({ status: Status.SERVING });
});

/** Takes every connection to the database. */
const takeAllConnections = () =>
  withoutCaller(() => {
    const { pool } = t.app.db;
    return Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  });

/**
 * Opens a stream whose caller hangs up while waiting for the database.
 *
 * @returns the number of connections that the stream gets afterwards
 */
async function countTurnsAfterHangUp(takeConnections: () => Promise<PoolClient[]>): Promise<number> {
  const { hangUp, options } = createCaller();
  const request = { selection: { publishers: { onlyActive: true } }, childOrganizations: { includeAll: true } };
  const stream = t.as('operator').client(EventService).stream(request, options);
  const opening = settle(stream[Symbol.asyncIterator]().next());
  const clients = await takeConnections();
  await new Promise((resolve) => setTimeout(resolve, 50));
  hangUp();
  const response = await opening;
  let turns = 0;
  const count = () => (turns += 1);
  t.app.db.pool.on('acquire', count);
  for (const client of clients) client.release();
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.app.db.pool.off('acquire', count);
  expect(response).toContain('canceled');
  return turns;
}

test("drops a stream's queued work before its caller is known", async () => {
  const clients = await takeAllConnections();
  expect(await countTurnsAfterHangUp(async () => clients)).toBe(0);
});

test("drops a stream's queued work after its caller is known", async () => {
  const clientsReady = new Promise<PoolClient[]>((resolve, reject) => {
    vi.spyOn(t.app.activity, 'record').mockImplementationOnce(() => void takeAllConnections().then(resolve, reject));
  });
  expect(await countTurnsAfterHangUp(() => clientsReady)).toBe(0);
});

test('finishes creating an account once the identity provider has created it', async () => {
  const { hangUp, options } = createCaller();
  const createAccount = t.accounts.create.bind(t.accounts);
  vi.spyOn(t.accounts, 'create').mockImplementation(async (account) => {
    const created = await createAccount(account);
    hangUp();
    return created;
  });
  const users = t.as('administrator').client(UserService);
  await settle(users.createUser({ email: 'half@example.com', name: 'Half', roles: { include: ['viewer'] } }, options));
  await eventually(async () => {
    const { users: matchingUsers } = await users.list({ selection: { byEmail: 'half@example.com' } });
    expect(matchingUsers).toMatchObject([{ name: 'Half' }]);
  });
});

test('finishes deleting an account once the identity provider has deleted it', async () => {
  const { hangUp, options } = createCaller();
  vi.spyOn(t.accounts, 'remove').mockImplementation(async () => hangUp());
  const leaver = createIdToken({ id: 'leaver', email: 'leaver@example.com', name: 'Leaver' });
  const me = t.with(leaver).client(CurrentUserService);
  await me.currentUser({});
  await settle(me.deleteCurrentUser({}, options));
  await eventually(async () => expect(await settle(me.currentUser({}))).toContain('was deleted'));
});

test('records a call to a receiver, in the history and in the support session that made it', async () => {
  const { hangUp, options } = createCaller();
  const receiver = await startReceiver((_, response) => {
    hangUp();
    setTimeout(() => response.writeHead(204).end(), 100);
  });
  const organization = 'northwind';
  const support = t.as('support').client(SupportService);
  const { supportSession } = await support.allowChanges({ organization, reason: 'to call a receiver' });
  const webhooks = t.as('administrator').client(WebhookService);
  const { id } = await webhooks.create({ data: { url: receiver.url, disabled: true } });
  const deliveries = t.as('support').client(WebhookDeliveryService);
  expect(await settle(deliveries.test({ organization, webhookId: id }, options))).toContain('canceled');
  await eventually(async () => {
    expect((await webhooks.history({ webhookId: id })).calls).toMatchObject([{ successful: true }]);
    const { calls } = await support.listCalls({ organization, supportSessionId: supportSession?.id });
    expect(calls).toMatchObject([{ rpc: 'WebhookDeliveryService.Test', outcome: 'ok' }]);
  });
  await receiver.close();
});
