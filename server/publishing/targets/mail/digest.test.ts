import { create } from '@bufbuild/protobuf';
import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TokenSchema } from '#proto/gen/hiber/token_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { emailNotification, pendingEmail, emailPreference, mail } from '#server/db/schema/mail.ts';
import { membership } from '#server/db/schema/user.ts';
import type { PersonKind } from '#server/demo/seed/people.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { type DeviceSubject, loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { tokenDeleted } from '#server/domains/integrations/token/events.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { queueDigests } from './digest.ts';

const ORGANIZATION = 'northwind';
const alarm = create(HealthLevelSchema, { level: 'Alarm', severity: 3n });
let t: TestServer;
let wells: DeviceSubject[];

beforeAll(async () => {
  t = await startTestServer();
  const rows = await t.app.db.orm
    .select({ number: device.number })
    .from(device)
    .where(and(eq(device.organization, ORGANIZATION), eq(device.lifecycle, Modem_Lifecycle.INSTALLED)))
    .limit(3);
  wells = [
    ...(
      await loadDeviceSubjects(
        t.app.db.orm,
        ORGANIZATION,
        rows.map(({ number }) => number),
      )
    ).values(),
  ];
});
afterAll(() => t.close());
beforeEach(async () => {
  for (const table of [emailPreference, pendingEmail, emailNotification, mail]) await t.app.db.orm.delete(table);
});

type Filters = Parameters<ReturnType<typeof client>['update']>[0];
const client = (kind: PersonKind) => t.as(kind).client(EmailNotificationPreferencesService);
const subscribe = (kind: PersonKind, filters: Filters = {}) =>
  client(kind).update({ organization: ORGANIZATION, ...filters });
const recordTestEvents = (...events: NewEvent[]) => t.app.db.transaction((tx) => recordEvents(tx, events));
const inError = (well: DeviceSubject | undefined, title = 'Battery below 3.4 V') =>
  alarmTriggered(well as DeviceSubject, t.app.now(), {
    alarm: 'battery',
    alarmDescription: '',
    errorMessage: title,
    healthLevel: alarm,
  });
const nameChange = (well: DeviceSubject | undefined) =>
  deviceUpdated(well as DeviceSubject, t.app.now(), { changed: ['name'] });

/** Reads the emails of the next digest, newest first. */
async function readQueuedEmails(): Promise<{ to: string; subject: string; body: string }[]> {
  await t.app.db.orm.delete(mail);
  await queueDigests(t.app, ORGANIZATION);
  const rows = await t.app.db.orm.select().from(mail).orderBy(desc(mail.id));
  return rows.map(({ recipient, subject, body }) => ({ to: recipient, subject, body: t.app.secrets.open(body) }));
}
const countPending = () => t.app.db.orm.$count(pendingEmail);

describe('emails about events', () => {
  test('are sent only to users who have opted in', async () => {
    await recordTestEvents(inError(wells[0]));
    expect(await countPending()).toBe(0);
    expect(await readQueuedEmails()).toEqual([]);
  });

  test('describe what happened and appear in the history', async () => {
    await subscribe('developer');
    await recordTestEvents(inError(wells[0]));
    const [email] = await readQueuedEmails();
    expect(email).toMatchObject({
      to: demoPerson('developer').email,
      subject: 'Northwind Energy: Battery below 3.4 V',
    });
    expect(email?.body).toContain(wells[0]?.number);
    expect(email?.body).toContain(`${t.app.config.origin}/user/email-preferences?organization=northwind`);
    const { emails } = await client('developer').history({});
    expect(emails).toMatchObject([{ title: 'Battery below 3.4 V', successful: true, error: '' }]);
    const failures = { selection: { onlyFailures: true } };
    expect((await client('developer').history(failures)).emails).toEqual([]);
    await t.app.db.orm.update(mail).set({ error: '550 No such user' });
    expect((await client('developer').history(failures)).emails).toMatchObject([
      { title: 'Battery below 3.4 V', successful: false, error: '550 No such user' },
    ]);
    expect(await countPending()).toBe(0);
  });

  test('are sent at most once a minute per user, with all events since the previous email', async () => {
    await subscribe('operator');
    await subscribe('viewer', { enabledNotifications: { include: [EventType.DEVICE_UPDATED] } });
    await recordTestEvents(inError(wells[0]), inError(wells[1]), inError(wells[1], 'Offline'), nameChange(wells[2]));
    await recordTestEvents(inError(wells[2]));
    expect((await readQueuedEmails()).map(({ subject }) => subject)).toEqual([
      'Northwind Energy: Device updated',
      'Northwind Energy: 3 devices in error',
    ]);
    await recordTestEvents(nameChange(wells[0]), nameChange(wells[1]));
    expect(await readQueuedEmails()).toEqual([]);
    t.advance(61_000);
    const laterEmails = await readQueuedEmails();
    expect(laterEmails.map(({ subject }) => subject)).toEqual(
      Array(2).fill('Northwind Energy: Device updated (2 times)'),
    );
    expect(laterEmails.map(({ to }) => to).toSorted()).toEqual(
      [demoPerson('operator').email, demoPerson('viewer').email].toSorted(),
    );
    t.advance(61_000);
    expect(await readQueuedEmails()).toEqual([]);
  });

  test("omit events that the user can't see", async () => {
    await subscribe('viewer');
    await subscribe('administrator');
    await t.app.db.orm
      .insert(emailPreference)
      .values({ organization: ORGANIZATION, userId: demoPerson('support').id, allLifecycles: true });
    const token = create(TokenSchema, { name: 'machine' });
    const notInstalledDevice = { ...(wells[0] as DeviceSubject), notInstalled: true };
    await recordTestEvents(tokenDeleted(ORGANIZATION, token, t.app.now()), nameChange(notInstalledDevice));
    const bodies = new Map((await readQueuedEmails()).map(({ to, body }) => [to, body]));
    expect([...bodies.keys()].toSorted()).toEqual(
      [demoPerson('administrator').email, demoPerson('support').email].toSorted(),
    );
    expect(bodies.get(demoPerson('administrator').email)).not.toContain('Device updated');
    expect(bodies.get(demoPerson('support').email)).toMatch(/Token deleted[^]*Device updated/);
    expect(await countPending()).toBe(0);
  });

  test('stop when the membership ends, is suspended, or emails are turned off', async () => {
    const { orm } = t.app.db;
    for (const kind of ['viewer', 'operator', 'developer', 'administrator'] as const) await subscribe(kind);
    await recordTestEvents(nameChange(wells[0]));
    const membershipOf = (kind: PersonKind) =>
      and(eq(membership.organization, ORGANIZATION), eq(membership.userId, demoPerson(kind).id));
    await orm.delete(membership).where(membershipOf('viewer'));
    await orm.update(membership).set({ suspendedAt: t.app.now() }).where(membershipOf('operator'));
    await client('developer').delete({ organization: ORGANIZATION });
    expect((await readQueuedEmails()).map(({ to }) => to)).toEqual([demoPerson('administrator').email]);
  });
});
