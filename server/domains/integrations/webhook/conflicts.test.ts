import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { settleFailure } from '#server/publishing/settle.ts';
import { webhookTarget } from '#server/publishing/targets/webhook/target.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

// The embedded database has one connection, so nothing runs concurrently there.
const databaseUrl = process.env['TEST_DATABASE_URL'];

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const webhooks = () => t.as('administrator').client(WebhookService);
/** Creates webhooks that publish each other's changes. */
const create = (count: number) =>
  Promise.all(Array.from({ length: count }, () => webhooks().create({ data: { url: 'http://127.0.0.1:1/' } })));

/** Returns the codes of the rejected calls. */
const errorCodes = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [ConnectError.from(outcome.reason).code] : []));

test.runIf(databaseUrl)("webhooks that publish each other's events can change and fail concurrently", async () => {
  const createdWebhooks = await create(6);
  const call = { url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '', error: 'HTTP 500', milliseconds: 1 };
  const failureFor = (id: bigint) => ({
    key: { organization: 'northwind', id: Number(id) },
    deliveries: [{ id: 0, attempts: 0 }],
    attempt: { successful: false, error: 'HTTP 500', call },
    time: t.app.now(),
  });
  const outcomes = await Promise.allSettled(
    createdWebhooks.flatMap(({ id }) => [
      webhooks().disable({ id }),
      t.app.db.transaction((tx) => settleFailure(tx, webhookTarget, failureFor(id))),
      webhooks().enable({ id }),
      webhooks().update({ id, update: { description: 'changed' } }),
    ]),
  );
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([]);
});

test.runIf(databaseUrl)('webhooks can be deleted while other webhooks and tags are created', async () => {
  const createdWebhooks = await create(6);
  const tags = t.as('administrator').client(TagService);
  const outcomes = await Promise.allSettled(
    createdWebhooks.flatMap(({ id }, index) => [
      webhooks().delete({ id }),
      webhooks().create({ data: { url: 'http://127.0.0.1:1/' } }),
      tags.create({ create: { name: `Tag ${index}`, type: 'group' } }),
    ]),
  );
  // Two concurrent deletions may deadlock, which aborts one of them.
  expect(errorCodes(outcomes).filter((code) => code !== Code.Aborted)).toEqual([]);
});
