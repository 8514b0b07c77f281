import { create } from '@bufbuild/protobuf';
import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TokenSchema } from '#proto/gen/hiber/token_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { emailNotification, emailPending, emailPreference, mail } from '#server/db/schema/mail.ts';
import { membership } from '#server/db/schema/user.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';
import { type DeviceSubject, deviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { tokenDeleted } from '#server/domains/integrations/token/events.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import type { PersonKind } from '#server/demo/seed/people.ts';
import { tellPeople } from './digest.ts';

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
      await deviceSubjects(
        t.app.db.orm,
        ORGANIZATION,
        rows.map(({ number }) => number),
      )
    ).values(),
  ];
});
afterAll(() => t.close());
beforeEach(async () => {
  for (const table of [emailPreference, emailPending, emailNotification, mail]) await t.app.db.orm.delete(table);
});

type Filters = Parameters<ReturnType<typeof client>['update']>[0];
const client = (kind: PersonKind) => t.as(kind).client(EmailNotificationPreferencesService);
const ask = (kind: PersonKind, filters: Filters = {}) =>
  client(kind).update({ organization: ORGANIZATION, ...filters });
const happen = (...events: NewEvent[]) => t.app.db.transaction((tx) => recordEvents(tx, events));
const inError = (well: DeviceSubject | undefined, title = 'Battery below 3.4 V') =>
  alarmTriggered(well as DeviceSubject, t.app.now(), {
    alarm: 'battery',
    alarmDescription: '',
    errorMessage: title,
    healthLevel: alarm,
  });
const updated = (well: DeviceSubject | undefined) =>
  deviceUpdated(well as DeviceSubject, t.app.now(), { changed: ['name'] });

/** The mails that the next digest makes, newest first. */
async function told(): Promise<{ to: string; subject: string; body: string }[]> {
  await t.app.db.orm.delete(mail);
  await tellPeople(t.app, ORGANIZATION);
  const rows = await t.app.db.orm.select().from(mail).orderBy(desc(mail.id));
  return rows.map(({ recipient, subject, body }) => ({ to: recipient, subject, body: t.app.secrets.open(body) }));
}
const waiting = () => t.app.db.orm.$count(emailPending);

describe('mails about events', () => {
  it('go to nobody who did not ask', async () => {
    await happen(inError(wells[0]));
    expect(await waiting()).toBe(0);
    expect(await told()).toEqual([]);
  });

  it('say what happened, and stand in the history', async () => {
    await ask('developer');
    await happen(inError(wells[0]));
    const [only] = await told();
    expect(only).toMatchObject({ to: demoPerson('developer').email, subject: 'Northwind Energy: Battery below 3.4 V' });
    expect(only?.body).toContain(wells[0]?.number);
    expect(only?.body).toContain(`${t.app.config.origin}/user/email-preferences?organization=northwind`);
    const { emails } = await client('developer').history({});
    expect(emails).toMatchObject([{ title: 'Battery below 3.4 V', successful: true, error: '' }]);
    const failures = { selection: { onlyFailures: true } };
    expect((await client('developer').history(failures)).emails).toEqual([]);
    await t.app.db.orm.update(mail).set({ error: '550 No such user' });
    expect((await client('developer').history(failures)).emails).toMatchObject([
      { title: 'Battery below 3.4 V', successful: false, error: '550 No such user' },
    ]);
    expect(await waiting()).toBe(0);
  });

  it('are one a minute for each person, holding all that happened since', async () => {
    await ask('operator');
    await ask('viewer', { enabledNotifications: { include: [EventType.DEVICE_UPDATED] } });
    await happen(inError(wells[0]), inError(wells[1]), inError(wells[1], 'Offline'), updated(wells[2]));
    await happen(inError(wells[2]));
    expect((await told()).map(({ subject }) => subject)).toEqual([
      'Northwind Energy: Device updated',
      'Northwind Energy: 3 devices in error',
    ]);
    await happen(updated(wells[0]), updated(wells[1]));
    expect(await told()).toEqual([]);
    t.advance(61_000);
    const later = await told();
    expect(later.map(({ subject }) => subject)).toEqual(Array(2).fill('Northwind Energy: Device updated (2 times)'));
    expect(later.map(({ to }) => to).toSorted()).toEqual(
      [demoPerson('operator').email, demoPerson('viewer').email].toSorted(),
    );
    t.advance(61_000);
    expect(await told()).toEqual([]);
  });

  it('tell nobody what they may not see, nor of devices that are not installed unless they are staff', async () => {
    await ask('viewer');
    await ask('administrator');
    await t.app.db.orm
      .insert(emailPreference)
      .values({ organization: ORGANIZATION, userId: demoPerson('support').id, allLifecycles: true });
    const token = create(TokenSchema, { name: 'machine' });
    const spare = { ...(wells[0] as DeviceSubject), notInstalled: true };
    await happen(tokenDeleted(ORGANIZATION, token, t.app.now()), updated(spare));
    const mails = new Map((await told()).map(({ to, body }) => [to, body]));
    expect([...mails.keys()].toSorted()).toEqual(
      [demoPerson('administrator').email, demoPerson('support').email].toSorted(),
    );
    expect(mails.get(demoPerson('administrator').email)).not.toContain('Device updated');
    expect(mails.get(demoPerson('support').email)).toMatch(/Token deleted[^]*Device updated/);
    expect(await waiting()).toBe(0);
  });

  it('end with the membership, with a suspension, and when they are stopped', async () => {
    const { orm } = t.app.db;
    for (const kind of ['viewer', 'operator', 'developer', 'administrator'] as const) await ask(kind);
    await happen(updated(wells[0]));
    const of = (kind: PersonKind) =>
      and(eq(membership.organization, ORGANIZATION), eq(membership.userId, demoPerson(kind).id));
    await orm.delete(membership).where(of('viewer'));
    await orm.update(membership).set({ suspendedAt: t.app.now() }).where(of('operator'));
    await client('developer').delete({ organization: ORGANIZATION });
    expect((await told()).map(({ to }) => to)).toEqual([demoPerson('administrator').email]);
  });
});
