import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { WebhookSchema } from '#proto/gen/hiber/webhook_pb.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import type { DeviceSubject } from '#server/domains/fleet/device/model/subject.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import type { NewEvent } from '#server/events/new-event.ts';

import { subscription } from './fan-out.ts';
import { publisherAutoDisabled, publisherFailed, publisherUpdated } from './publisher-events.ts';
import { webhookData, webhookSubject } from './targets/webhook/subject.ts';

const time = new Date('2026-11-20T10:00:00Z');
const subject: DeviceSubject = {
  organization: 'acme',
  number: '00C0 FFEE',
  name: 'Well 7',
  identifier: '',
  timeZone: 'UTC',
  tags: [{ id: 1, name: 'Needs visit', type: 'group' }],
  hidden: false,
};
const alarmLevel = create(HealthLevelSchema, { level: 'Alarm', severity: 3n });
const updateEvent = deviceUpdated(subject, time, { changed: ['name'] });
const alarm = alarmTriggered(subject, time, {
  alarm: 'battery-low',
  alarmDescription: '',
  errorMessage: 'Battery below 3.4 V',
  healthLevel: alarmLevel,
});

const matchAll = { include: [], exclude: [] };
const baseFilters = {
  id: 1,
  kind: 'webhook',
  eventFilter: matchAll,
  deviceFilter: matchAll,
  tagFilter: matchAll,
  healthLevels: [],
  allLifecycles: false,
};

const accepts = (filters: Partial<Parameters<typeof subscription>[0]>, event: NewEvent) =>
  subscription({ ...baseFilters, ...filters }).accepts(event);

test('matches every event if there are no filters', () => {
  expect([updateEvent, alarm].map((event) => accepts({}, event))).toEqual([true, true]);
});

test.each([
  ['its type', { eventFilter: { include: [EventType.ALARM_TRIGGERED], exclude: [] } }, [false, true]],
  ['another type excluded', { eventFilter: { include: [], exclude: [EventType.ALARM_TRIGGERED] } }, [true, false]],
  ['its device', { deviceFilter: { include: ['00C0 FFEE'], exclude: [] } }, [true, true]],
  ['another device', { deviceFilter: { include: ['0000 0001'], exclude: [] } }, [false, false]],
  ['another device excluded', { deviceFilter: { include: [], exclude: ['00C0 FFEE'] } }, [false, false]],
  ['its tag', { tagFilter: { include: [1, 2], exclude: [] } }, [true, true]],
  ['its tag included and excluded', { tagFilter: { include: [1], exclude: [1] } }, [false, false]],
  ['its tag excluded', { tagFilter: { include: [], exclude: [1] } }, [false, false]],
  ['another tag', { tagFilter: { include: [2], exclude: [] } }, [false, false]],
  ['another health level', { healthLevels: ['Mild'] }, [false, false]],
  ['a health level', { healthLevels: ['Alarm'] }, [false, true]],
])('filters by %s', (_, filters, expected) => {
  expect([updateEvent, alarm].map((event) => accepts(filters, event))).toEqual(expected);
});

test('does not match hidden devices, unless all lifecycles are included', () => {
  const hiddenDeviceUpdate = deviceUpdated({ ...subject, hidden: true }, time, { changed: ['name'] });
  expect([accepts({}, hiddenDeviceUpdate), accepts({ allLifecycles: true }, hiddenDeviceUpdate)]).toEqual([
    false,
    true,
  ]);
});

test('matches changes to the webhook itself, but not its own failures', () => {
  const webhook = webhookSubject(
    create(WebhookSchema, { id: 1n, organization: 'acme', data: { url: 'https://x.example' } }),
  );
  const failureEvent = publisherFailed(webhook, time, 'HTTP 500', alarmLevel);
  expect([accepts({}, failureEvent), accepts({ id: 2 }, failureEvent)]).toEqual([false, true]);
  const disableEvent = publisherAutoDisabled(webhook, time, alarmLevel);
  expect([accepts({}, disableEvent), accepts({ id: 2 }, disableEvent)]).toEqual([false, true]);
  expect(accepts({}, publisherUpdated(webhook, time, { data: webhookData({}), changed: ['URL'] }))).toBe(true);
});
