import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import type { Database } from '#server/db/database.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { tag, webhookTag } from '#server/db/schema/tag.ts';
import { addOrganization, addWebhook, openFixture } from '#server/testkit/publishing.ts';

import { presentWebhooks } from './present.ts';
import type { WebhookRow } from './rows.ts';

let db: Database;
const now = new Date();
const RECEIVER = 'https://nowhere.example/';

/** Adds a second organization, whose webhooks have the same ids as those of the first. */
beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(publisherCall);
});

const messages = (...ids: number[]) => presentWebhooks(db.orm, 'acme', ids, now);
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

/** Creates the row for a call that webhook 1 of acme made ten seconds ago. */
const callRow = (successful: boolean, overrides: Partial<typeof publisherCall.$inferInsert> = {}) => ({
  organization: 'acme',
  publisher: 1,
  time: secondsAgo(10),
  url: RECEIVER,
  headers: {},
  bodyProto: new Uint8Array(),
  bodyJson: '',
  successful,
  ...overrides,
});

test.each([
  ['without calls', {}, [], Health.OK],
  ['whose last call failed', { lastCallFailed: true }, [callRow(true)], Health.ERROR],
  ['with as many failed calls as its limit allows', {}, [callRow(true), callRow(false)], Health.OK],
  ['with more failed calls than its limit', {}, [callRow(true), callRow(false), callRow(false)], Health.WARNING],
  ['with failed manual calls only', {}, [callRow(false, { manual: true })], Health.OK],
  ['with a failure before its warning period', {}, [callRow(false, { time: secondsAgo(100) })], Health.OK],
  ['with a failure at the start of its warning period', {}, [callRow(false, { time: secondsAgo(99) })], Health.WARNING],
  [
    'with its warnings turned off',
    { healthWarningPeriod: 0 },
    [callRow(false, { time: new Date(now.getTime() + 1) })],
    Health.OK,
  ],
  ['when another webhook failed', {}, [callRow(false, { publisher: 2 })], Health.OK],
  [
    'when a webhook with the same id failed in another organization',
    {},
    [callRow(false, { organization: 'bravo' })],
    Health.OK,
  ],
])('presents the health of a webhook %s', async (_, values, calls, health) => {
  const period = { healthWarningPeriod: 100, healthWarningFailurePercentage: 50 };
  for (const organization of ['acme', 'bravo'])
    await addWebhook(db, { url: RECEIVER, organization, ...period, ...values });
  if (calls.length > 0) await db.orm.insert(publisherCall).values(calls);
  expect((await messages(1)).map((message) => message.health)).toEqual([health]);
});

test("returns the organization's existing webhooks in the order of the requested ids", async () => {
  for (const id of [1, 2, 3]) await addWebhook(db, { id, url: RECEIVER, description: `ours ${id}` });
  await addWebhook(db, { id: 4, url: RECEIVER, organization: 'bravo' });
  expect((await messages(3, 4, 1)).map(({ description }) => description)).toEqual(['ours 3', 'ours 1']);
  expect((await messages(2)).map(({ description }) => description)).toEqual(['ours 2']);
  expect(await messages()).toEqual([]);
});

test("presents a webhook's own tags, sorted by name", async () => {
  for (const organization of ['acme', 'bravo']) {
    await addWebhook(db, { url: RECEIVER, organization });
    await addWebhook(db, { id: 2, url: RECEIVER, organization });
    await db.orm.insert(tag).values([
      { organization, id: 2, name: `A ${organization}`, type: 'site' },
      { organization, id: 3, name: `A ${organization}`, type: 'area' },
    ]);
  }
  const links = [1, 3, 2].map((id) => ({ organization: 'acme', webhook: 1, tag: id }));
  await db.orm.insert(webhookTag).values([...links, { organization: 'bravo', webhook: 2, tag: 2 }]);
  const [first, second] = await messages(1, 2);
  expect(first?.tags.map(({ id, label }) => [id, label?.name])).toEqual([
    [2n, 'A acme'],
    [3n, 'A acme'],
    [1n, 'Needs visit'],
  ]);
  expect(second?.tags).toEqual([]);
});

test('reports secrets without revealing them and fills in defaults', async () => {
  const presentWebhook = async (values: Partial<WebhookRow>) => {
    await db.orm.delete(publisher);
    await addWebhook(db, { url: RECEIVER, ...values });
    return (await messages(1))[0];
  };
  expect((await presentWebhook({}))?.data).toMatchObject({ hmacHeaderName: 'X-Hub-Signature', customHeaders: {} });
  expect((await presentWebhook({}))?.data?.secret).toBeUndefined();
  const set = { secret: 'sealed', hmacHeaderName: 'X-Signed', customHeaders: { 'X-Key': 'sealed' } };
  expect((await presentWebhook(set))?.data).toMatchObject({
    secret: '',
    hmacHeaderName: 'X-Signed',
    customHeaders: { 'X-Key': '' },
  });
});

test('shows a cooldown while it lasts', async () => {
  const presentCooldown = async (inCooldownUntil: Date | null) => {
    await db.orm.delete(publisher);
    await addWebhook(db, { url: RECEIVER, inCooldownUntil });
    return (await messages(1))[0]?.inCooldownUntil?.textual;
  };
  expect([await presentCooldown(null), await presentCooldown(now)]).toEqual([undefined, undefined]);
  expect(await presentCooldown(new Date(now.getTime() + 1000))).toBeDefined();
});
