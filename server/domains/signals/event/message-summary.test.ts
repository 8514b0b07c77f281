import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { summarizeMessages } from '#server/domains/fleet/message/summary.ts';
import {
  defaultHealthConfiguration,
  readHealthConfiguration,
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

describe('the message summary', () => {
  const configuration = (messageSummaryConfiguration: object, organization = '') =>
    events().updateEventConfiguration({ organization, messageSummaryConfiguration });
  const pushMessage = async () =>
    t
      .as('administrator')
      .client(TestingService)
      .pushModemMessages({ messages: [{ modemNumber: number, content: new Uint8Array([1]) }] });
  /** Runs the summaries as of a given time. */
  const summarizeAt = (time: Date) => summarizeMessages({ db: t.app.db, now: () => time });

  test('is configured as a whole, and records an event with the changes', async () => {
    const response = await configuration({
      enabled: true,
      period: { textual: '1d' },
      alignToTime: { textual: '2026-01-01T08:00:00+01:00', timeZone: 'Europe/Amsterdam' },
      includeEmptySummaries: true,
    });
    expect(response).toMatchObject({
      organization: 'northwind',
      messageSummaryConfiguration: {
        enabled: true,
        period: { textual: '1d' },
        alignToTime: { textual: '2026-01-01T08:00:00+01:00', timeZone: 'Europe/Amsterdam' },
        includeEmptySummaries: true,
      },
    });
    expect(await events('viewer').getEventConfiguration({})).toEqual(response);
    await configuration({ enabled: true, period: { textual: '12h' }, includeEmptySummaries: true });
    await configuration({ enabled: true, period: { textual: '12h' }, includeEmptySummaries: true });
    const storedEvents = await listRecordedEvents(t, EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED);
    expect(storedEvents.map(({ description }) => description)).toEqual([
      'Message summaries are on, every 12h.',
      'Message summaries are on, every 1d.',
    ]);
    expect(storedEvents[1]?.event.value).toMatchObject({
      messageSummaryUpdate: {
        state: true,
        enabled: { updated: true, value: true },
        period: { textual: '1d' },
        alignToTime: { timeZone: 'Europe/Amsterdam' },
      },
    });
    expect(storedEvents[0]?.event.value).toMatchObject({ messageSummaryUpdate: { period: { textual: '12h' } } });
  });

  test("ignores the request's health list and stays unchanged if the request has no summary", async () => {
    const response = await events().updateEventConfiguration({
      eventHealthLevelConfiguration: [{ type: EventType.PUBLISHER_FAILED, level: { level: 'Healthy' } }],
    });
    expect(response.organization).toBe('northwind');
    expect(await readHealthConfiguration(t)).toEqual(defaultHealthConfiguration);
    expect(await listRecordedEvents(t, EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED)).toEqual([]);
  });

  test('rejects invalid periods and time zones', async () => {
    const update = (summary: object) => configuration(summary);
    await expect(update({ enabled: true })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'Enabled summaries need "message_summary_configuration.period", for example 1d.',
    });
    for (const textual of ['10s', '-1d', '32d', '99999999999999d', 'often']) {
      await expect(update({ enabled: true, period: { textual } })).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
    const period = { textual: '1d' };
    await expect(
      update({ enabled: true, period, alignToTime: { textual: 'now', timeZone: 'Nowhere/City' } }),
    ).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining('Europe/Amsterdam'),
    });
    await expect(update({ enabled: true, period, alignToTime: { textual: 'later' } })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
    expect((await events().getEventConfiguration({})).messageSummaryConfiguration).toMatchObject({ enabled: false });
  });

  test("counts each period's messages once, by device and source", async () => {
    const start = t.app.now();
    const alignToTime = { textual: start.toISOString() };
    await configuration({ enabled: true, period: { textual: '1h' }, alignToTime });
    await pushMessage();
    await pushMessage();
    await summarizeAt(new Date(start.getTime() + 0.5 * HOUR));
    expect(await listRecordedEvents(t, EventType.MESSAGE_SUMMARY)).toEqual([]);
    const end = new Date(start.getTime() + 1.1 * HOUR);
    await Promise.all([summarizeAt(end), summarizeAt(end)]);
    const [summary, ...others] = await listRecordedEvents(t, EventType.MESSAGE_SUMMARY);
    expect(others).toEqual([]);
    expect(summary).toMatchObject({
      title: 'Message summary',
      event: {
        case: 'messageSummary',
        value: {
          messageCount: [{ device: number, source: ModemMessage_Source.TEST, amount: 2 }],
          timeRange: {
            start: { textual: start.toISOString() },
            end: { textual: new Date(start.getTime() + HOUR).toISOString() },
          },
        },
      },
    });
    expect(summary?.description).toMatch(/^2 messages from 1 device between /);
    // This period has no messages.
    await summarizeAt(new Date(start.getTime() + 2.1 * HOUR));
    expect(await listRecordedEvents(t, EventType.MESSAGE_SUMMARY)).toHaveLength(1);
    await configuration({ enabled: false });
    await summarizeAt(new Date(start.getTime() + 9 * HOUR));
    expect(await listRecordedEvents(t, EventType.MESSAGE_SUMMARY)).toHaveLength(1);
  });

  test('includes empty periods only on request', async () => {
    const start = t.app.now();
    const alignToTime = { textual: start.toISOString() };
    await configuration({ enabled: true, period: { textual: '1h' }, alignToTime, includeEmptySummaries: true });
    // No message is sent from here on; all messages of earlier tests are before this time.
    await summarizeAt(new Date(start.getTime() + 1.1 * HOUR));
    await summarizeAt(new Date(start.getTime() + 3.1 * HOUR));
    const summaries = await listRecordedEvents(t, EventType.MESSAGE_SUMMARY);
    expect(summaries).toHaveLength(2);
    expect(summaries[0]?.event.value).toMatchObject({
      messageCount: [],
      // Two periods ended between runs.
      timeRange: {
        start: { textual: new Date(start.getTime() + HOUR).toISOString() },
        end: { textual: new Date(start.getTime() + 3 * HOUR).toISOString() },
      },
    });
  });

  test("omits devices that customers can't see", async () => {
    const start = t.app.now();
    await configuration({ enabled: true, period: { textual: '1h' }, alignToTime: { textual: start.toISOString() } });
    await pushMessage();
    await t.app.db.pool.query(`update device set lifecycle = 7 where organization = 'northwind' and number = $1`, [
      number,
    ]);
    await summarizeAt(new Date(start.getTime() + 1.1 * HOUR));
    await t.app.db.pool.query(`update device set lifecycle = 1 where organization = 'northwind' and number = $1`, [
      number,
    ]);
    expect(await listRecordedEvents(t, EventType.MESSAGE_SUMMARY)).toEqual([]);
  });

  test('keeps its time of day when daylight saving time begins', async () => {
    await configuration({
      enabled: true,
      period: { textual: '1d' },
      alignToTime: { textual: '2026-01-01T08:00:00+01:00', timeZone: 'Europe/Amsterdam' },
    });
    await t.app.db.pool.query(`update message_summary set summarized_until = '2027-03-27T07:00:00Z'`);
    const waitForSummary = async () => {
      const { rows } = await t.app.db.pool.query<{ until: Date }>(
        `select summarized_until as until from message_summary`,
      );
      return rows[0]?.until.toISOString();
    };
    await summarizeAt(new Date('2027-03-28T05:59:00Z'));
    expect(await waitForSummary()).toBe('2027-03-27T07:00:00.000Z');
    await summarizeAt(new Date('2027-03-28T06:00:00Z'));
    expect(await waitForSummary()).toBe('2027-03-28T06:00:00.000Z');
  });
});
