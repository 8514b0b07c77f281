import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { mail } from '#server/db/schema/mail.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import type { Notice } from './emulator/messages.ts';
import { sendNotice } from './notices.ts';

let t: TestServer;

beforeAll(async () => {
  t = await startTestServer({ config: { origin: 'https://console.example.com' } });
});
afterAll(() => t.close());

async function sendAndRead(notice: Notice) {
  await sendNotice(t.app, notice);
  const [row] = await t.app.db.orm.select().from(mail).orderBy(desc(mail.id)).limit(1);
  return { ...row, body: t.app.secrets.open(row?.body ?? '') };
}

describe('a notice from the embedded provider', () => {
  test.each([
    ['verify-email', 'https://console.example.com/login/email-verification?oobCode=a%2Fb'],
    ['reset-password', 'https://console.example.com/login/reset-password?oobCode=a%2Fb'],
    ['change-email', 'https://console.example.com/login/email-verification?oobCode=a%2Fb'],
  ] as const)('is emailed with a link that contains the code (%s)', async (kind, link) => {
    const message = await sendAndRead({ kind, to: 'olga@example.com', code: 'a/b' });
    expect(message).toMatchObject({ recipient: 'olga@example.com', channel: 'email' });
    expect(message.body.split('\n')).toContain(link);
  });

  test('is a text message when sent to a phone', async () => {
    const message = await sendAndRead({ kind: 'sms-code', to: '+31612345678', code: '012345' });
    expect(message).toMatchObject({ recipient: '+31612345678', channel: 'sms' });
    expect(message.body).toContain('012345');
  });
});
