import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { webhookTarget } from '#server/publishing/targets/webhook/target.ts';
import { settleFailure } from '#server/publishing/settle.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

// The embedded database has one connection, so nothing there happens at the same time.
const url = process.env['TEST_DATABASE_URL'];

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const webhooks = () => t.as('administrator').client(WebhookService);
/** Each is told of the changes of all others. */
const create = (count: number) =>
  Promise.all(Array.from({ length: count }, () => webhooks().create({ data: { url: 'http://127.0.0.1:1/' } })));

/** Codes of the calls that were refused. */
const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [ConnectError.from(outcome.reason).code] : []));

test.runIf(url)('webhooks that are told of each other can be changed, and can fail, at the same time', async () => {
  const made = await create(6);
  const call = { url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '', error: 'HTTP 500', milliseconds: 1 };
  const settled = (id: bigint) => ({
    key: { organization: 'northwind', id: Number(id) },
    due: [{ id: 0, attempts: 0 }],
    attempt: { successful: false, error: 'HTTP 500', call },
    time: t.app.now(),
  });
  const outcomes = await Promise.allSettled(
    made.flatMap(({ id }) => [
      webhooks().disable({ id }),
      t.app.db.transaction((tx) => settleFailure(tx, webhookTarget, settled(id))),
      webhooks().enable({ id }),
      webhooks().update({ id, update: { description: 'changed' } }),
    ]),
  );
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([]);
});

test.runIf(url)('what happens while a webhook is deleted is told to the others', async () => {
  const made = await create(6);
  const tags = t.as('administrator').client(TagService);
  const outcomes = await Promise.allSettled(
    made.flatMap(({ id }, index) => [
      webhooks().delete({ id }),
      webhooks().create({ data: { url: 'http://127.0.0.1:1/' } }),
      tags.create({ create: { name: `Tag ${index}`, type: 'group' } }),
    ]),
  );
  // Two that are deleted at once may each wait for the other.
  expect(refusals(outcomes).filter((code) => code !== Code.Aborted)).toEqual([]);
});
