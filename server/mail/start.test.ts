import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLog } from '#server/base/log.ts';
import { mail } from '#server/db/schema/mail.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startSmtpServer, type TestSmtpServer } from '#server/testkit/mail-server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { queueEmails } from './queue.ts';
import { startEmailDelivery } from './start.ts';
import { deleteOldEmails } from './upkeep.ts';

let t: TestServer;
let smtp: TestSmtpServer;
beforeAll(async () => {
  t = await startTestServer({ config: { demo: false } });
  smtp = await startSmtpServer();
});
afterAll(async () => {
  await smtp.close();
  await t.close();
});

const queue = (subject: string) =>
  queueEmails(t.app, t.app.db.orm, [{ to: 'ann@acme.example', subject, body: 'Welcome.' }]);

test('keeps emails queued until an SMTP server is configured, and logs how many are unsent', async () => {
  let logText = '';
  const log = createLog('json', (line) => (logText += line));
  await queue('Before');
  const delivery = await startEmailDelivery({ ...t.app, log });
  expect(logText).toContain('"unsent":1');
  await queue('Meanwhile');
  await delivery.close();
  expect(smtp.received).toEqual([]);

  const from = 'desk@quarterdeck.example';
  const restartedDelivery = await startEmailDelivery({
    ...t.app,
    config: { ...t.app.config, smtp: { url: smtp.url, from } },
  });
  await eventually(() => expect(smtp.received).toHaveLength(2));
  await restartedDelivery.close();
});

test('deletes emails after a month', async () => {
  await deleteOldEmails(t.app.db, t.app.now());
  expect(await t.app.db.orm.$count(mail)).toBe(2);
  t.advance(31 * 86_400_000);
  await queue('Newer');
  await deleteOldEmails(t.app.db, t.app.now());
  expect(await t.app.db.orm.select({ subject: mail.subject }).from(mail)).toEqual([{ subject: 'Newer' }]);
});
