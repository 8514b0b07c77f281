import { randomBytes } from 'node:crypto';

import { asc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createLog } from '#server/base/log.ts';
import { createSealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';
import { openTestDatabase } from '#server/testkit/database.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { SMTP_PASSWORD, startSmtpServer, type TestSmtpServer } from '#server/testkit/mail-server.ts';
import { openSecondDatabase } from '#server/testkit/publishing.ts';

import { type NewEmail, queueEmails } from './queue.ts';
import { type MailSender, startMailSender } from './sender.ts';

let db: Database;
let smtp: TestSmtpServer;
const senders: MailSender[] = [];
const clock = { now: new Date('2026-11-20T10:00:00Z') };
const secrets = createSealer(randomBytes(32));
let logText = '';
const log = createLog('json', (line) => (logText += line));
const now = () => clock.now;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  smtp = await startSmtpServer();
  await db.orm.delete(mail);
  logText = '';
});
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.close();
  await smtp.close();
});

async function startSender(url = smtp.url, database = db): Promise<void> {
  const from = 'Quarterdeck <desk@quarterdeck.example>';
  senders.push(await startMailSender({ db: database, secrets, log, now }, { url, from }, 20));
}
const queue = (...emails: NewEmail[]) => db.transaction((tx) => queueEmails({ secrets, now }, tx, emails));
const invitation = { to: 'ann@acme.example', subject: 'Join us', body: 'Open https://deck.example/join?code=s3cret' };
const rows = () => db.orm.select().from(mail).orderBy(asc(mail.id));
const header = (raw: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1];

test('sends an email after its transaction commits, and deletes its content', async () => {
  await startSender();
  const [id] = await queue(invitation);
  await eventually(async () => expect((await rows())[0]?.sentAt).toEqual(clock.now));
  expect(smtp.received).toMatchObject([{ from: 'desk@quarterdeck.example', to: ['ann@acme.example'] }]);
  const raw = smtp.received[0]?.raw ?? '';
  expect(header(raw, 'From')).toBe('Quarterdeck <desk@quarterdeck.example>');
  expect(header(raw, 'Subject')).toBe('Join us');
  expect(header(raw, 'Auto-Submitted')).toBe('auto-generated');
  expect(header(raw, 'Message-ID')).toMatch(new RegExp(`^<quarterdeck\\.${id}\\.\\d+@quarterdeck\\.example>$`));
  expect(header(raw, 'Content-Type')).toBe('text/plain; charset=utf-8');
  expect(raw).toContain(invitation.body);
  expect(await rows()).toMatchObject([{ body: '', nextAttemptAt: null, attempts: 1, error: null }]);
});

test('does not let malicious names add headers or recipients', async () => {
  await startSender();
  const subject = 'Ann\r\nBcc: thief@evil.example\r\n\r\n<script>alert(1)</script> é invites you';
  await queue({ ...invitation, subject }, { ...invitation, to: 'ann@acme.example, thief@evil.example' });
  await eventually(async () => expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1]));
  expect(smtp.received.flatMap(({ to }) => to)).not.toContain('thief@evil.example');
  for (const { raw } of smtp.received) expect(header(raw, 'Bcc')).toBeUndefined();
  expect(smtp.received.map(({ to }) => to)).toContainEqual(['ann@acme.example']);
});

test('retries a temporary failure later and keeps the reason for a permanent one', async () => {
  smtp.rejectNext({ code: 451, text: 'Try again later' });
  await startSender();
  await queue(invitation);
  await eventually(async () => expect((await rows())[0]).toMatchObject({ attempts: 1, sentAt: null }));
  expect((await rows())[0]?.error).toContain('Try again later');
  clock.now = new Date(clock.now.getTime() + 61_000);
  await eventually(() => expect(smtp.received).toHaveLength(1));

  smtp.rejectNext({ code: 550, text: 'No such user' });
  await queue(invitation);
  await eventually(async () => expect((await rows())[1]?.error).toContain('No such user'));
  expect((await rows())[1]).toMatchObject({ nextAttemptAt: null, body: '', sentAt: null });
});

test('retries an unreachable server for a day', async () => {
  await startSender('smtp://127.0.0.1:9');
  const startTime = clock.now.getTime();
  await queue(invitation);
  for (let attempts = 1; ; attempts += 1) {
    await eventually(async () => expect((await rows())[0]?.attempts).toBe(attempts));
    const [row] = await rows();
    if (row?.nextAttemptAt == null) break;
    clock.now = row.nextAttemptAt;
  }
  expect((clock.now.getTime() - startTime) / 3_600_000).toBeCloseTo(24, 0);
  expect(await rows()).toMatchObject([{ body: '', sentAt: null, error: expect.stringContaining('ECONNREFUSED') }]);
});

test('sends each email once, even from two processes sharing a database', async () => {
  const { secondDatabase, opened } = await openSecondDatabase(db);
  await startSender();
  await startSender(smtp.url, secondDatabase);
  await queue(...Array.from({ length: 40 }, (_, index) => ({ ...invitation, subject: `Email ${index}` })));
  await eventually(async () => expect((await rows()).every(({ sentAt }) => sentAt !== null)).toBe(true));
  const subjects = smtp.received.map(({ raw }) => header(raw, 'Subject'));
  expect([subjects.length, new Set(subjects).size]).toEqual([40, 40]);
  for (const sender of senders.splice(0)) await sender.close();
  for (const database of opened) await database.close();
});

test('keeps passwords and email content out of the log and, unencrypted, out of the database', async () => {
  await queue(invitation);
  expect(JSON.stringify(await rows())).not.toContain('s3cret');
  await startSender(smtp.url.replace(SMTP_PASSWORD, 'wrong-horse'));
  await eventually(() => expect(logText).toContain("An email wasn't accepted."));
  expect(logText).toContain('Invalid login');
  expect(logText).not.toMatch(/horse|s3cret|Join us/);
});
