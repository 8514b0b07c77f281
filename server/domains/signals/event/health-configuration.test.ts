import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { messageCannotBeParsed } from '#server/domains/fleet/message/events.ts';
import { summarizeMessages } from '#server/domains/fleet/message/summary.ts';
import { recordTokenExpiry } from '#server/domains/integrations/token/expiry.ts';
import { watchInactivity } from '#server/domains/signals/alarm/watch-inactivity.ts';
import { expireHealth } from '#server/domains/signals/health-level/device-health.ts';
import { findLevel } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';
import { settleFailure } from '#server/publishing/settle.ts';
import { webhookTarget } from '#server/publishing/targets/webhook/target.ts';
import {
  copyHealthData,
  defaultHealthConfiguration,
  readHealthConfiguration,
  readHealthState,
  listRecordedEvents,
  saveHealth,
} from '#server/testkit/health-levels.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let restoreHealth: () => Promise<void>;
/** The number of an installed device without conditions. */
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  restoreHealth = await saveHealth(t);
  const { rows } = await t.app.db.pool.query<{ number: string }>(
    `select number from device where organization = 'northwind' and health_level = 'Healthy' and lifecycle = 1
     order by number limit 1`,
  );
  number = rows[0]!.number;
});
beforeEach(() => restoreHealth());
afterAll(() => t.close());

const HOUR = 3_600_000;
const events = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(EventService);
const health = () => t.as('administrator').client(HealthService);
const { ALARM_TRIGGERED, MESSAGE_CANNOT_BE_PARSED, PUBLISHER_AUTO_DISABLED, PUBLISHER_FAILED, TOKEN_EXPIRY_WARNING } =
  EventType;

const readDeviceLevel = async () =>
  (await t.as('viewer').client(ModemService).get({ modemNumber: number })).healthLevel?.level;

/** Records a message that no parser can parse. */
async function recordUnparsedMessage(): Promise<void> {
  await t.app.db.transaction(async (tx) => {
    const subject = (await loadDeviceSubjects(tx, 'northwind', [number])).get(number)!;
    const healthLevel = (await findLevel(tx, 'northwind', MESSAGE_CANNOT_BE_PARSED))!;
    const failure = { messageId: 7, reason: 'it ends early', healthLevel };
    await recordEvents(tx, [messageCannotBeParsed(subject, t.app.now(), failure)]);
  });
}

const configure = (updates: Parameters<ReturnType<typeof events>['updateEventHealthConfiguration']>[0]['updates']) =>
  events().updateEventHealthConfiguration({ updates });

describe('the event configuration', () => {
  test('can be read by any member and starts with the defaults', async () => {
    const configuration = await events('viewer').getEventConfiguration({});
    expect(configuration).toMatchObject({
      organization: 'northwind',
      messageSummaryConfiguration: { enabled: false, includeEmptySummaries: false },
    });
    expect(configuration.messageSummaryConfiguration?.period).toBeUndefined();
    expect(configuration.eventHealthLevelConfiguration.every(({ createdAt }) => createdAt === undefined)).toBe(true);
    expect(await readHealthConfiguration(t)).toEqual(defaultHealthConfiguration);
  });

  test('gives problems the catch-all level by default, and warnings a milder level', async () => {
    await health().add({ newHealthLevel: { level: 'Lost' } });
    expect(await readHealthConfiguration(t)).toEqual(defaultHealthConfiguration);
    await health().update({ level: 'Lost', updateCatchAll: true });
    expect(await readHealthConfiguration(t)).toMatchObject({
      PUBLISHER_FAILED: ['Lost', undefined],
      TOKEN_EXPIRY_WARNING: ['Alarm', undefined],
    });
    await health().update({ level: 'Build up', updateCatchAll: true });
    expect(await readHealthConfiguration(t)).toMatchObject({
      PUBLISHER_FAILED: ['Build up', undefined],
      TOKEN_EXPIRY_WARNING: ['Build up', undefined],
    });
  });
});

describe('the health configuration', () => {
  test('is set per type, with dates, and records an event', async () => {
    const before = t.app.now();
    const { request, eventConfiguration } = await configure([
      { type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up', expiry: { textual: '2h' } },
    ]);
    expect(request).toMatchObject({ organization: 'northwind', updates: [{ level: 'Build up' }] });
    const row = eventConfiguration?.eventHealthLevelConfiguration.find(({ type }) => type === MESSAGE_CANNOT_BE_PARSED);
    expect(row).toMatchObject({ level: { level: 'Build up', severity: 2n }, expiry: { textual: '2h' } });
    expect(Number(row?.createdAt?.timestamp?.seconds)).toBeGreaterThanOrEqual(Math.floor(before.getTime() / 1000));
    expect(await readHealthConfiguration(t)).toEqual({
      ...defaultHealthConfiguration,
      MESSAGE_CANNOT_BE_PARSED: ['Build up', '2h'],
    });
    const [event, ...others] = await listRecordedEvents(t, EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      title: 'Event configuration updated',
      description: 'MESSAGE_CANNOT_BE_PARSED events have health level "Build up" for 2h.',
      event: { case: 'organizationEventConfigurationUpdated', value: { organization: 'northwind' } },
    });
  });

  test('keeps omitted fields, clears with zero, and honors the deprecated wrapper', async () => {
    const set = async (update: object) => {
      await configure([{ type: PUBLISHER_FAILED, ...update }]);
      return (await readHealthConfiguration(t))['PUBLISHER_FAILED'];
    };
    expect(await set({ level: 'Build up', expiry: { textual: '1d' } })).toEqual(['Build up', '1d']);
    expect(await set({ level: 'Healthy' })).toEqual(['Healthy', '1d']);
    expect(await set({ expiry: { duration: { seconds: 60n, nanos: 0 } } })).toEqual(['Healthy', '1m']);
    expect(await set({ deprecatedExpiry: { updated: false, value: { textual: '3d' } } })).toEqual(['Healthy', '1m']);
    expect(await set({ deprecatedExpiry: { updated: true, value: { textual: '3d' } } })).toEqual(['Healthy', '3d']);
    expect(await set({ deprecatedExpiry: { updated: true }, expiry: { textual: '4d' } })).toEqual(['Healthy', '4d']);
    expect(await set({ expiry: { textual: '0s' } })).toEqual(['Healthy', undefined]);
    await set({ expiry: { textual: '4d' } });
    expect(await set({ deprecatedExpiry: { updated: true } })).toEqual(['Healthy', undefined]);
  });

  test('rejects duplicates, types that do not affect health, and values out of range', async () => {
    const configureError = (updates: Parameters<typeof configure>[0]) =>
      configure(updates).then(
        () => undefined,
        (error: { code: Code; rawMessage: string }) => [error.code, error.rawMessage],
      );
    const validLevel = { type: PUBLISHER_FAILED, level: 'Healthy' };
    expect(await configureError([validLevel, { type: EventType.DEVICE_CREATED, level: 'Alarm' }])).toEqual([
      Code.InvalidArgument,
      'Events of type DEVICE_CREATED have no effect on health. Types that do: ALARM_TRIGGERED, ' +
        'MESSAGE_CANNOT_BE_PARSED, PUBLISHER_FAILED, PUBLISHER_AUTO_DISABLED, and TOKEN_EXPIRY_WARNING.',
    ]);
    expect(await configureError([validLevel, validLevel])).toEqual([
      Code.InvalidArgument,
      '"updates" lists PUBLISHER_FAILED twice. List each type once.',
    ]);
    expect(await configureError([validLevel, { type: TOKEN_EXPIRY_WARNING, level: 'Odd' }])).toEqual([
      Code.InvalidArgument,
      'Unknown health level: "Odd". northwind has Healthy, Build up, and Alarm.',
    ]);
    expect(await configureError([{ type: ALARM_TRIGGERED, expiry: { textual: '1h' } }])).toEqual([
      Code.InvalidArgument,
      'ALARM_TRIGGERED has no health level yet. Specify one of Healthy, Build up, and Alarm.',
    ]);
    const expiry = (textual: string) =>
      configureError([validLevel, { type: TOKEN_EXPIRY_WARNING, expiry: { textual } }]);
    expect(await expiry('-1h')).toMatchObject([Code.InvalidArgument, expect.stringContaining('10 years')]);
    expect(await expiry('3661d')).toMatchObject([Code.InvalidArgument, expect.stringContaining('10 years')]);
    expect(await expiry('soon')).toMatchObject([Code.InvalidArgument, expect.stringContaining("isn't a duration")]);
    expect(await configureError([{ type: 9999 as EventType, level: 'Alarm' }])).toMatchObject([
      Code.InvalidArgument,
      expect.stringContaining('9999'),
    ]);
    expect(await readHealthConfiguration(t)).toEqual(defaultHealthConfiguration);
    expect(await listRecordedEvents(t, EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED)).toEqual([]);
  });

  test('records no event when nothing changes', async () => {
    await configure([]);
    await configure([{ type: PUBLISHER_FAILED, level: '' }]);
    expect(await listRecordedEvents(t, EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED)).toEqual([]);
  });
});

describe('a configured health level', () => {
  test('applies to a device with an event of that type until the event is resolved', async () => {
    await recordUnparsedMessage();
    expect(await readDeviceLevel()).toBe('Alarm');
    await configure([{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up' }]);
    // Existing conditions follow the new level.
    expect(await readDeviceLevel()).toBe('Build up');
    await recordUnparsedMessage();
    expect(await readDeviceLevel()).toBe('Build up');
    const storedEvents = await listRecordedEvents(t, MESSAGE_CANNOT_BE_PARSED);
    expect(storedEvents.map(({ healthLevel }) => healthLevel?.level)).toEqual(['Build up', 'Alarm']);
    expect(storedEvents[0]).toMatchObject({
      isWarning: true,
      device: { number },
      event: {
        case: 'messageCannotBeParsed',
        value: { messageId: 7n, reason: 'it ends early', healthLevel: { level: 'Build up' } },
      },
    });
    const resolveIdentifier = storedEvents[0]?.resolvedStatus.value as string;
    expect(await events().resolve({ resolveIdentifier })).toMatchObject({ resolved: 2 });
    expect(await readDeviceLevel()).toBe('Healthy');
    expect((await listRecordedEvents(t, MESSAGE_CANNOT_BE_PARSED))[0]).toMatchObject({
      resolvedStatus: { case: 'resolved' },
      event: { value: { resolvedStatus: { case: 'resolved', value: true } } },
    });
  });

  test('stops applying after its expiry, counted from the last event of the type', async () => {
    await configure([{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up', expiry: { textual: '2h' } }]);
    await recordUnparsedMessage();
    t.advance(1.5 * HOUR);
    await recordUnparsedMessage();
    t.advance(1.5 * HOUR);
    await expireHealth(t.app);
    expect(await readDeviceLevel()).toBe('Build up');
    t.advance(0.6 * HOUR);
    await expireHealth(t.app);
    expect(await readDeviceLevel()).toBe('Healthy');
    await recordUnparsedMessage();
    expect(await readDeviceLevel()).toBe('Build up');
    await configure([{ type: MESSAGE_CANNOT_BE_PARSED, expiry: { textual: '0s' } }]);
    t.advance(5 * HOUR);
    await expireHealth(t.app);
    expect(await readDeviceLevel()).toBe('Build up');
  });

  test('yields to a more severe condition', async () => {
    await configure([{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up' }]);
    await recordUnparsedMessage();
    await t.app.db.pool.query(
      `insert into device_condition (organization, number, source, health_level, since)
       values ('northwind', $1, 'pressure', 'Alarm', now())`,
      [number],
    );
    await recordUnparsedMessage();
    expect(await readDeviceLevel()).toBe('Alarm');
  });

  test('applies to inactivity alarms, which have no level of their own, and expires', async () => {
    const lastMessage = t.app.now();
    const watch = async (from: number, to: number) => {
      for (let hours = from; hours <= to; hours += 0.2) {
        await watchInactivity({ db: t.app.db, now: () => new Date(lastMessage.getTime() + hours * HOUR) });
      }
    };
    await t.app.db.pool.query(
      `update device set last_message_received_at = $1, expected_transmission_rate = 24 where organization = 'northwind'`,
      [lastMessage],
    );
    await t.app.db.pool.query(`delete from setting where key = 'listening'`);
    await health().add({ newHealthLevel: { level: 'Silent' } });
    await configure([{ type: ALARM_TRIGGERED, level: 'Silent', expiry: { textual: '1h' } }]);
    await watch(0, 6.4);
    expect(await readDeviceLevel()).toBe('Silent');
    const alarms = async () =>
      (await listRecordedEvents(t, ALARM_TRIGGERED)).filter(({ device }) => device?.number === number);
    expect(await alarms()).toMatchObject([{ healthLevel: { level: 'Silent' } }]);
    await expireHealth({ db: t.app.db, now: () => new Date(lastMessage.getTime() + 8 * HOUR) });
    expect(await readDeviceLevel()).toBe('Healthy');
    await watch(6.6, 26);
    expect(await readDeviceLevel()).toBe('Healthy');
    expect(await alarms()).toHaveLength(1);
  });

  test('applies to publisher failures and token warnings', async () => {
    await configure([
      { type: PUBLISHER_FAILED, level: 'Healthy' },
      { type: PUBLISHER_AUTO_DISABLED, level: 'Build up' },
      { type: TOKEN_EXPIRY_WARNING, level: 'Alarm' },
    ]);
    const webhooks = t.as('administrator').client(WebhookService);
    const { id } = await webhooks.create({ data: { url: 'http://127.0.0.1:9/' } });
    const fail = (time: Date) =>
      t.app.db.transaction((tx) =>
        settleFailure(tx, webhookTarget, {
          key: { organization: 'northwind', id: Number(id) },
          deliveries: [{ id: 0, attempts: 0 }],
          attempt: {
            successful: false,
            error: 'rejected',
            call: {
              url: '',
              headers: {},
              bodyProto: new Uint8Array(),
              bodyJson: '',
              error: 'rejected',
              milliseconds: 1,
            },
          },
          time,
        }),
      );
    await fail(t.app.now());
    await fail(new Date(t.app.now().getTime() + 80 * HOUR));
    expect((await listRecordedEvents(t, PUBLISHER_FAILED)).map(({ healthLevel }) => healthLevel?.level)).toEqual([
      'Healthy',
      'Healthy',
    ]);
    expect((await listRecordedEvents(t, PUBLISHER_AUTO_DISABLED)).map(({ healthLevel }) => healthLevel?.level)).toEqual(
      ['Build up'],
    );
    const expiresAt = { textual: new Date(t.app.now().getTime() + 24 * HOUR).toISOString() };
    await t.as('administrator').client(TokenService).create({ name: 'expiring', expiresAt });
    await recordTokenExpiry(t.app);
    expect((await listRecordedEvents(t, TOKEN_EXPIRY_WARNING)).map(({ healthLevel }) => healthLevel?.level)).toEqual([
      'Alarm',
    ]);
    await webhooks.delete({ id });
  });

  test('follows a rename, and becomes the catch-all level when removed', async () => {
    await configure([{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up' }]);
    await recordUnparsedMessage();
    await health().update({ level: 'Build up', rename: 'Rising' });
    expect((await readHealthConfiguration(t))['MESSAGE_CANNOT_BE_PARSED']).toEqual(['Rising', undefined]);
    expect(await readDeviceLevel()).toBe('Rising');
    await health().remove({ level: 'Rising' });
    expect((await readHealthConfiguration(t))['MESSAGE_CANNOT_BE_PARSED']).toEqual(['Alarm', undefined]);
    expect(await readDeviceLevel()).toBe('Alarm');
  });
});

test('changes require ORGANIZATION_UPDATE in the named organization', async () => {
  for (const call of [
    () => events('viewer').updateEventConfiguration({ messageSummaryConfiguration: { enabled: false } }),
    () => events('operator').updateEventHealthConfiguration({ updates: [{ type: PUBLISHER_FAILED, level: 'Alarm' }] }),
  ]) {
    await expect(call()).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining('ORGANIZATION_UPDATE'),
    });
  }
  await expect(events('viewer').getEventConfiguration({ organization: 'quarterdeck' })).rejects.toMatchObject({
    code: Code.PermissionDenied,
  });
});

// Runs last because it does not remove the copied data.
test('leaves another organization with the same ids unchanged', async () => {
  await copyHealthData(t, 'northwind-permian');
  const before = await readHealthState(t, 'northwind-permian');
  await configure([{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Build up', expiry: { textual: '1h' } }]);
  await events().updateEventConfiguration({
    messageSummaryConfiguration: { enabled: true, period: { textual: '1h' }, includeEmptySummaries: true },
  });
  await recordUnparsedMessage();
  t.advance(2 * HOUR);
  await expireHealth(t.app);
  await summarizeMessages(t.app);
  expect(await readHealthState(t, 'northwind-permian')).toEqual(before);
  await events().updateEventHealthConfiguration({
    organization: 'northwind-permian',
    updates: [{ type: MESSAGE_CANNOT_BE_PARSED, level: 'Healthy' }],
  });
  expect((await readHealthConfiguration(t))['MESSAGE_CANNOT_BE_PARSED']).toEqual(['Build up', '1h']);
  expect((await readHealthConfiguration(t, 'northwind-permian'))['MESSAGE_CANNOT_BE_PARSED']).toEqual([
    'Healthy',
    undefined,
  ]);
});
