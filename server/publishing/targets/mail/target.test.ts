import { create } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { TokenSchema } from '#proto/gen/hiber/token_pb.ts';
import { createLog } from '#server/base/log.ts';
import { emailNotification, pendingEmail, emailPreference, mail } from '#server/db/schema/mail.ts';
import { publisher, publisherDelivery } from '#server/db/schema/publisher.ts';
import { tokenDeleted } from '#server/domains/integrations/token/events.ts';
import { recordEvents } from '#server/events/record.ts';
import { deleteStaleDeliveries } from '#server/publishing/outbox.ts';
import { type DeliveryWorker, startDelivery } from '#server/publishing/worker.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { emailPublisher } from './pending.ts';
import { emailTarget } from './target.ts';

let t: TestServer;
let worker: DeliveryWorker | undefined;
let logText = '';
const log = createLog('json', (line) => (logText += line));

beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());
beforeEach(async () => {
  const { orm } = t.app.db;
  for (const table of [publisherDelivery, emailPreference, pendingEmail, emailNotification, mail])
    await orm.delete(table);
  await orm.update(publisher).set({ inCooldownUntil: null, cooldownStep: 0, failingSince: null });
  logText = '';
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});

async function start(secrets = t.app.secrets): Promise<void> {
  const { db } = t.app;
  const now = () => t.app.now();
  const dispatcher = emailTarget.open({ ...t.app, secrets, log });
  worker = await startDelivery({ db, target: emailTarget, dispatcher, log, now, poll: 20 });
}

const subscribe = (organization: string, kind: Parameters<typeof demoPerson>[0]) =>
  t.app.db.orm.insert(emailPreference).values({ organization, userId: demoPerson(kind).id });
const recordTestEvent = (organization: string, name: string) =>
  t.app.db.transaction((tx) =>
    recordEvents(tx, [tokenDeleted(organization, create(TokenSchema, { name }), t.app.now())]),
  );
const readSubjects = async () =>
  (await t.app.db.orm.select().from(mail).orderBy(mail.id)).map(({ subject }) => subject);
const countDeliveries = () => t.app.db.orm.$count(publisherDelivery);
const readStates = () => t.app.db.orm.select().from(publisher);
const readEmailPublisherState = async () => (await readStates()).filter(({ kind }) => kind === emailPublisher.kind);

test('combines events into one email and empties the outbox', async () => {
  await subscribe('northwind', 'administrator');
  await recordTestEvent('northwind', 'one');
  await recordTestEvent('northwind', 'two');
  expect(await countDeliveries()).toBe(2);
  await start();
  await eventually(async () => expect(await countDeliveries()).toBe(0));
  expect(await readSubjects()).toEqual(['Northwind Energy: Token deleted (2 times)']);
  expect(await readEmailPublisherState()).toMatchObject([{ organization: 'northwind', id: 0, lastCallFailed: false }]);
});

test("delays a user's next email by a minute, but does not delay other users' emails", async () => {
  await subscribe('northwind', 'administrator');
  await recordTestEvent('northwind', 'one');
  await start();
  await eventually(async () => expect(await countDeliveries()).toBe(0));
  await recordTestEvent('northwind', 'two');
  const pausedUntil = async () => (await readEmailPublisherState())[0]?.inCooldownUntil?.getTime() ?? 0;
  // Each poll pauses the publisher again until the minute is over.
  for (let polls = 0; polls < 2; polls += 1) {
    const before = await pausedUntil();
    t.advance(5000);
    await eventually(async () => expect(await pausedUntil()).toBeGreaterThan(before));
  }
  expect([await countDeliveries(), (await readSubjects()).length]).toEqual([1, 1]);
  await t.app.db.orm.insert(emailPreference).values({
    organization: 'northwind',
    userId: demoPerson('support').id,
    eventFilter: { include: [], exclude: [] },
  });
  await recordTestEvent('northwind', 'three');
  t.advance(5000);
  await eventually(async () => expect(await readSubjects()).toHaveLength(2));
  expect(await countDeliveries()).toBe(2);
  t.advance(61_000);
  await eventually(async () => expect(await countDeliveries()).toBe(0));
  expect((await readSubjects()).at(-1)).toBe('Northwind Energy: Token deleted (2 times)');
});

test("retries when emails can't be created, and does not give up", async () => {
  await subscribe('northwind', 'administrator');
  await recordTestEvent('northwind', 'one');
  const failingSecrets = {
    ...t.app.secrets,
    seal: vi.fn<() => string>(() => {
      throw new Error('No key.');
    }),
  };
  await start(failingSecrets);
  for (let failures = 1; failures <= 3; failures += 1) {
    await eventually(async () => {
      expect(failingSecrets.seal).toHaveBeenCalledTimes(failures);
      expect(await readEmailPublisherState()).toMatchObject([
        { lastCallFailed: true, disabled: false, leaseOwner: null },
      ]);
    });
    t.advance(5000);
  }
  expect(logText).toContain("Notification emails couldn't be created and will be retried.");
  await worker?.close();
  await start();
  t.advance(5000);
  await eventually(async () => expect(await countDeliveries()).toBe(0));
  expect(await readSubjects()).toHaveLength(1);
  expect(await readEmailPublisherState()).toMatchObject([
    { lastCallFailed: false, failingSince: null, cooldownStep: 0 },
  ]);
});

test('keeps pending events during the daily maintenance of the outbox', async () => {
  await subscribe('northwind', 'administrator');
  await recordTestEvent('northwind', 'one');
  await deleteStaleDeliveries(t.app.db.orm);
  expect(await countDeliveries()).toBe(1);
});
