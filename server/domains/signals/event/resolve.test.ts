import { fromBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Event, EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import { watchInactivity } from '#server/domains/signals/alarm/watch-inactivity.ts';
import { refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { recordEvents } from '#server/events/record.ts';
import { readHealthState, saveHealth, copyHealthData } from '#server/testkit/health-levels.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let restoreHealth: () => Promise<void>;
/** The number of an installed device without conditions. */
let number: string;
/** The number of a device in a lifecycle hidden from customers. */
let hiddenNumber: string;
beforeAll(async () => {
  t = await startTestServer();
  restoreHealth = await saveHealth(t);
  const firstNumber = async (condition: string) =>
    (
      await t.app.db.pool.query<{ number: string }>(
        `select number from device where organization = 'northwind' and health_level = 'Healthy' and ${condition}
         order by number limit 1`,
      )
    ).rows[0]!.number;
  number = await firstNumber('lifecycle = 1');
  hiddenNumber = await firstNumber('lifecycle = 4');
});
beforeEach(() => restoreHealth());
afterAll(() => t.close());

const events = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(EventService);

/** Raises an alarm for a device, as the checks on its messages do, and returns its resolve identifier. */
async function raiseAlarm(source: string, level: string, device = number, organization = 'northwind'): Promise<string> {
  await t.app.db.transaction(async (tx) => {
    const subject = (await loadDeviceSubjects(tx, organization, [device])).get(device)!;
    const healthLevel = (await loadHealthLevels(tx, organization)).find((item) => item.level === level)!;
    await tx.execute(sql`
      insert into device_condition (organization, number, source, health_level, since)
      values (${organization}, ${device}, ${source}, ${level}, now())
      on conflict (organization, number, source) do update set health_level = excluded.health_level, lapsed = false`);
    await refreshHealth(tx, organization, [device]);
    const trigger = { alarm: source, alarmDescription: source, errorMessage: `${source}!`, healthLevel };
    await recordEvents(tx, [alarmTriggered(subject, t.app.now(), trigger)]);
  });
  return `resolve-${EventType.ALARM_TRIGGERED}-${source}:${device}`;
}

const readLevel = async (device = number, organization = 'northwind') =>
  (
    await t
      .as('support')
      .client(ModemService)
      .get({ modemNumber: device, where: { case: 'organization', value: organization } })
  ).healthLevel?.level;

const alarmsOnly = { include: [EventType.ALARM_TRIGGERED] };
const readTimeline = async (selection: object = {}): Promise<Event[]> =>
  (await events().history({ selection: { events: alarmsOnly, modems: { include: [number] }, ...selection } })).events;

describe('Resolve', () => {
  test('resolves every event with the identifier and clears the alarm', async () => {
    await raiseAlarm('pressure', 'Build up');
    const identifier = await raiseAlarm('pressure', 'Alarm');
    await raiseAlarm('battery', 'Build up');
    expect(await readLevel()).toBe('Alarm');
    const [newest] = await readTimeline();
    expect(newest?.resolvedStatus.case).toBe('resolveIdentifier');
    expect((await readTimeline()).map(({ resolvedStatus }) => resolvedStatus.value)).toContain(identifier);

    expect(await events().resolve({ resolveIdentifier: identifier })).toMatchObject({ resolved: 2 });
    expect(await readLevel()).toBe('Build up');
    expect((await readTimeline()).map(({ title }) => title)).toEqual(['battery!']);
    const history = await readTimeline({ includeResolvedEvents: true });
    expect(history.filter(({ resolvedStatus }) => resolvedStatus.case === 'resolved')).toHaveLength(2);
    const { unbundledEvents } = await events().list({
      selection: { modems: { include: [number] }, includeResolvedEvents: true },
      unbundledEvents: true,
    });
    const details = unbundledEvents
      .flatMap((unbundledEvent) => unbundledEvent.unbundledEvents)
      .map(({ event }) => event.value);
    expect(details).toContainEqual(
      expect.objectContaining({
        alarmIdentifier: 'pressure',
        resolvedStatus: expect.objectContaining({ case: 'resolvedAt' }),
      }),
    );
  });

  test('resolves nothing the second time, and the alarm can be triggered again', async () => {
    const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
    expect((await events().resolve({ resolveIdentifier })).resolved).toBe(1);
    expect((await events().resolve({ resolveIdentifier })).resolved).toBe(0);
    expect(await readLevel()).toBe('Healthy');
    await raiseAlarm('pressure', 'Alarm');
    expect(await readLevel()).toBe('Alarm');
    expect((await events().resolve({ resolveIdentifier })).resolved).toBe(1);
  });

  test('resolves each event once when called twice at the same time', async () => {
    const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
    const responses = await Promise.all([1, 2].map(() => events().resolve({ resolveIdentifier })));
    expect(responses.reduce((sum, { resolved }) => sum + resolved, 0)).toBe(1);
  });

  test('clears the alarm even if its events are past retention', async () => {
    const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
    await t.app.db.orm.execute(sql`delete from event where resolve_identifier = ${resolveIdentifier}`);
    expect((await events().resolve({ resolveIdentifier })).resolved).toBe(0);
    expect(await readLevel()).toBe('Healthy');
  });

  test('does not raise a resolved alarm again until the device reaches a more severe level', async () => {
    const HOUR = 3_600_000;
    const lastMessage = t.app.now();
    const watch = async (hours: number) =>
      watchInactivity({ db: t.app.db, now: () => new Date(lastMessage.getTime() + hours * HOUR) });
    await t.app.db.orm
      .execute(sql`update device set last_message_received_at = ${lastMessage.toISOString()}::timestamptz,
      expected_transmission_rate = 24 where organization = 'northwind'`);
    // Run every 12 minutes because a gap of more than 15 counts as downtime.
    for (let hours = 0; hours <= 6.5; hours += 0.2) await watch(hours);
    expect(await readLevel()).toBe('Build up');
    expect((await events().resolve({ resolveIdentifier: `resolve-56-inactivity:${number}` })).resolved).toBe(1);
    await watch(6.7);
    expect(await readLevel()).toBe('Healthy');
    for (let hours = 6.7; hours <= 24.5; hours += 0.2) await watch(hours);
    expect(await readLevel()).toBe('Alarm');
    await t.app.db.orm.execute(sql`delete from setting where key = 'listening'`);
  });

  test('sends resolved events again to webhooks and to streams that include resolved events', async () => {
    const webhooks = t.as('administrator').client(WebhookService);
    const hook = await webhooks.create({
      data: { url: 'http://127.0.0.1:9/' },
      filters: { eventTypes: { include: [EventType.ALARM_TRIGGERED] } },
    });
    const callOptions = { headers: { 'quarterdeck-keep-alive': '30' } };
    const types = { events: { include: [EventType.ALARM_TRIGGERED] } };
    const openStream = (selection: object) => events().stream({ selection }, callOptions)[Symbol.asyncIterator]();
    const inclusiveStream = openStream({ ...types, includeResolvedEvents: true });
    const unresolvedOnlyStream = openStream(types);
    await inclusiveStream.next();
    await unresolvedOnlyStream.next();
    const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
    expect((await inclusiveStream.next()).value).toMatchObject({ resolvedStatus: { case: 'resolveIdentifier' } });
    expect((await unresolvedOnlyStream.next()).value).toMatchObject({ resolvedStatus: { case: 'resolveIdentifier' } });
    await events().resolve({ resolveIdentifier });
    expect((await inclusiveStream.next()).value).toMatchObject({
      title: 'pressure!',
      resolvedStatus: { case: 'resolved', value: true },
      event: { case: 'alarmTriggered', value: { resolvedStatus: { case: 'resolvedAt' } } },
    });
    await raiseAlarm('battery', 'Build up');
    expect((await unresolvedOnlyStream.next()).value).toMatchObject({ title: 'battery!' });
    const { rows } = await t.app.db.orm.execute<{ title: string; body: Uint8Array }>(sql`
      select e.title, e.body from publisher_delivery d join event e
        on e.organization = d.organization and e.time = d.event_time and e.id = d.event_id
      where d.organization = 'northwind' and d.publisher = ${hook.id} order by d.id`);
    expect(rows.map(({ title }) => title)).toEqual(['pressure!', 'pressure!', 'battery!']);
    expect(fromBinary(EventSchema, rows[1]!.body).resolvedStatus).toEqual({ case: 'resolved', value: true });
    await webhooks.delete({ id: hook.id });
  });

  test('rejects unknown, foreign, and hidden events', async () => {
    await expect(events().resolve({})).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'Specify the resolve_identifier of the event to resolve.',
    });
    const resolve = (resolveIdentifier: string) => events().resolve({ resolveIdentifier });
    await expect(resolve(`resolve-56-nothing:${number}`)).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: `northwind has no event with the resolve_identifier "resolve-56-nothing:${number}".`,
    });
    await expect(resolve('x'.repeat(1000))).rejects.toThrow(/x{100}…/);
    await expect(resolve(`' or true --:${number}`)).rejects.toMatchObject({ code: Code.NotFound });
    const foreignNumber = (
      await t.app.db.pool.query<{ number: string }>(
        `select number from device where organization = 'northwind-north' and lifecycle = 1 order by number limit 1`,
      )
    ).rows[0]!.number;
    const foreignIdentifier = await raiseAlarm('pressure', 'Alarm', foreignNumber, 'northwind-north');
    await expect(resolve(foreignIdentifier)).rejects.toMatchObject({ code: Code.NotFound });
    const hiddenAlarm = await raiseAlarm('pressure', 'Alarm', hiddenNumber);
    await expect(resolve(hiddenAlarm)).rejects.toMatchObject({ code: Code.NotFound });
    expect(await readLevel(hiddenNumber)).toBe('Alarm');
  });
});

describe('MarkResolved', () => {
  test('resolves only the selected events and echoes the request', async () => {
    await raiseAlarm('pressure', 'Alarm');
    await raiseAlarm('battery', 'Build up');
    const { resolved, request } = await events().markResolved({
      selection: { modems: { include: [number] }, healthLevels: ['Build up'] },
    });
    expect(resolved).toBe(1);
    expect(request).toMatchObject({ organization: 'northwind', selection: { healthLevels: ['Build up'] } });
    expect((await readTimeline()).map(({ title }) => title)).toEqual(['pressure!']);
    expect(await readLevel()).toBe('Alarm');
    expect((await events().markResolved({ selection: { modems: { include: [number] } } })).resolved).toBe(1);
    expect((await events().markResolved({ selection: { modems: { include: [number] } } })).resolved).toBe(0);
    expect(await readLevel()).toBe('Healthy');
  });

  test('keeps an alarm active while one of its events is unresolved', async () => {
    await raiseAlarm('pressure', 'Alarm');
    const timeBetween = t.app.now();
    t.advance(10);
    await raiseAlarm('pressure', 'Alarm');
    const before = { timeRange: { end: { textual: timeBetween.toISOString() } }, modems: { include: [number] } };
    expect((await events().markResolved({ selection: before })).resolved).toBe(1);
    expect(await readLevel()).toBe('Alarm');
  });

  test('resolves every visible and resolvable event if the selection is empty', async () => {
    await raiseAlarm('pressure', 'Alarm', hiddenNumber);
    const listEvents = async (kind: Parameters<TestServer['as']>[0]) =>
      (await events(kind).history({ organization: 'northwind', pagination: { size: 1000 } })).events;
    const openEvents = (await listEvents('administrator')).filter(
      ({ resolvedStatus }) => resolvedStatus.case !== undefined,
    );
    expect(openEvents.length).toBeGreaterThan(5);
    expect((await events().markResolved({})).resolved).toBe(openEvents.length);
    const remaining = await listEvents('administrator');
    expect(remaining.length).toBeGreaterThan(0);
    expect(remaining.every(({ type }) => type !== EventType.ALARM_TRIGGERED)).toBe(true);
    // Hidden from the caller.
    expect(await readLevel(hiddenNumber)).toBe('Alarm');
    const { modems } = await t
      .as('administrator')
      .client(ModemService)
      .list({ selection: { healthLevels: ['Alarm', 'Build up'] } });
    expect(modems).toEqual([]);
  });

  test('skips types the caller may not see and rejects them if the selection names them', async () => {
    await raiseAlarm('pressure', 'Alarm');
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({
        name: 'resolver',
        organizationPermissions: { include: [OrganizationPermission.ORGANIZATION_UPDATE] },
      });
    const resolver = t.with(token).client(EventService);
    expect((await resolver.markResolved({})).resolved).toBe(0);
    const call = resolver.markResolved({ selection: { events: { include: [EventType.ALARM_TRIGGERED] } } });
    await expect(call).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(await resolver.resolve({ resolveIdentifier: `resolve-56-pressure:${number}` })).toMatchObject({
      resolved: 1,
    });
  });

  test('rejects an unknown device', async () => {
    const call = events().markResolved({ selection: { modems: { include: ['0000 0000'] } } });
    await expect(call).rejects.toMatchObject({ code: Code.NotFound });
  });
});

describe('ModemHealth', () => {
  test('lists events that affect health, newest first and without details', async () => {
    await raiseAlarm('pressure', 'Alarm');
    await raiseAlarm('battery', 'Build up');
    const selection = { modems: { include: [number] } };
    const {
      events: healthEvents,
      request,
      pagination,
    } = await events('viewer').modemHealth({ selection, pagination: { size: 1 } });
    expect(healthEvents.map(({ title, event }) => [title, event.case])).toEqual([['battery!', undefined]]);
    expect(request).toMatchObject({ organization: 'northwind', pagination: { size: 1, page: 0 } });
    expect(pagination).toMatchObject({ total: 2, next: { page: 1 } });
    const healthPage = await events().modemHealth({ pagination: { size: 1000 } });
    expect(healthPage.events.length).toBeGreaterThan(2);
    expect(
      healthPage.events.every(({ healthLevel, device }) => healthLevel !== undefined && device !== undefined),
    ).toBe(true);
    const filteredHealth = await events().modemHealth({ selection: { ...selection, healthLevels: ['Build up'] } });
    expect(filteredHealth.events).toHaveLength(1);
  });

  test('omits hidden devices and, by default, resolved events', async () => {
    const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
    await raiseAlarm('pressure', 'Alarm', hiddenNumber);
    await events().resolve({ resolveIdentifier });
    const selection = { modems: { include: [number] } };
    expect((await events().modemHealth({ selection })).events).toEqual([]);
    const withResolved = await events().modemHealth({ selection: { ...selection, includeResolvedEvents: true } });
    expect(withResolved.events).toHaveLength(1);
    const healthPage = await events().modemHealth({ pagination: { size: 1000 } });
    expect(healthPage.events.map(({ device }) => device?.number)).not.toContain(hiddenNumber);
    const { events: supportEvents } = await events('support').modemHealth({
      organization: 'northwind',
      pagination: { size: 1000 },
    });
    expect(supportEvents.map(({ device }) => device?.number)).toContain(hiddenNumber);
  });
});

test('resolving requires ORGANIZATION_UPDATE, and ModemHealth requires MODEMS', async () => {
  const identifier = await raiseAlarm('pressure', 'Alarm');
  for (const call of [
    () => events('viewer').resolve({ resolveIdentifier: identifier }),
    () => events('operator').markResolved({}),
  ]) {
    await expect(call()).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining('ORGANIZATION_UPDATE'),
    });
  }
  const { token } = await t.as('administrator').client(TokenService).create({ name: 'nothing' });
  await expect(t.with(token).client(EventService).modemHealth({})).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: expect.stringContaining('MODEMS'),
  });
  expect(await readLevel()).toBe('Alarm');
});

// Runs last because it does not remove the copied data.
test('leaves another organization with the same ids unchanged', async () => {
  const resolveIdentifier = await raiseAlarm('pressure', 'Alarm');
  await copyHealthData(t, 'northwind-permian');
  const childBefore = await readHealthState(t, 'northwind-permian');
  expect((await events().resolve({ resolveIdentifier })).resolved).toBe(1);
  expect((await events().markResolved({})).resolved).toBeGreaterThan(3);
  expect(await readHealthState(t, 'northwind-permian')).toEqual(childBefore);
  await t.as('administrator').client(HealthService).list({});
  const before = await readHealthState(t, 'northwind');
  const response = await events().resolve({ organization: 'northwind-permian', resolveIdentifier });
  expect(response.resolved).toBe(1);
  expect(await readHealthState(t, 'northwind')).toEqual(before);
});
