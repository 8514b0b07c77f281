import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { ModemMessage_Source, ModemMessageSchema } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationSchema } from '#proto/gen/hiber/organization_pb.ts';
import { WebhookSchema } from '#proto/gen/hiber/webhook_pb.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import type { DeviceSubject } from '#server/domains/fleet/device/model/subject.ts';
import { messageReceived } from '#server/domains/fleet/message/events.ts';
import { organizationCreated } from '#server/domains/people/organization/events.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import { publisherCreated, publisherUpdated } from '#server/publishing/publisher-events.ts';
import { webhookData, webhookSubject } from '#server/publishing/targets/webhook/subject.ts';
import { presentBytes, presentTimestamp } from '#server/wire/present.ts';

import { eventJson } from './json.ts';

const time = new Date('2026-11-20T10:00:00Z');
const subject: DeviceSubject = {
  organization: 'acme',
  number: '00C0 FFEE',
  name: 'Well 7',
  identifier: 'A1B2',
  timeZone: 'Europe/Amsterdam',
  tags: [{ id: 1, name: 'Needs visit', type: 'group' }],
  hidden: false,
};
const timestamp = {
  timestamp: '2026-11-20T10:00:00.000Z',
  textual: '2026-11-20T11:00:00+01:00',
  timeZone: 'Europe/Amsterdam',
};
const tags = [{ id: '1', label: { name: 'Needs visit', type: 'group' } }];

test('writes an envelope with one detail, including defaults and deprecated fields', () => {
  const title = 'Device updated';
  const description = 'Device "Well 7" (00C0 FFEE) was updated: notes.';
  const common = { title, description, time: timestamp, tags };
  expect(eventJson(deviceUpdated(subject, time, { notes: '', changed: ['notes'] }).event)).toEqual({
    type: 'DEVICE_UPDATED',
    isError: false,
    isWarning: false,
    ...common,
    device: { number: '00C0 FFEE', name: 'Well 7', identifier: 'A1B2' },
    deviceUpdated: {
      ...common,
      organization: 'acme',
      number: '00C0 FFEE',
      externalDeviceId: 'A1B2',
      notes: { updated: true, value: '' },
      updatedNotes: '',
      secureNotesUpdated: false,
      peripherals: {},
    },
  });
});

test('writes bytes as base64 and hex, metadata as plain JSON, and enums as names', () => {
  const message = create(ModemMessageSchema, {
    modemNumber: subject.number,
    sentAt: presentTimestamp(time),
    body: Uint8Array.of(1, 171),
    bodyBytes: presentBytes(Uint8Array.of(1, 171)),
    messageId: 12_345n,
    sources: [ModemMessage_Source.SIMULATION],
    metadata: { fPort: 2, radio: { rssi: -97.5 } },
  });
  const json = eventJson(messageReceived(subject, time, message).event);
  expect(json['messageReceived']).toMatchObject({
    deviceNumber: '00C0 FFEE',
    modemNumber: '00C0 FFEE',
    message: {
      body: 'Aas=',
      bodyBytes: { bytes: 'Aas=', hex: '01AB' },
      messageId: '12345',
      sources: ['SIMULATION'],
      metadata: { fPort: 2, radio: { rssi: -97.5 } },
      bodyParsed: [],
      isTest: false,
      viaGatewayMessage: '0',
    },
  });
});

test('includes the level and resolve identifier of events that affect health', () => {
  const healthLevel = create(HealthLevelSchema, { level: 'Alarm', severity: 3n, colorData: { text: 'red' } });
  const trigger = {
    alarm: 'battery-low',
    alarmDescription: 'Battery',
    errorMessage: 'Battery below 3.4 V',
    healthLevel,
  };
  const json = eventJson(alarmTriggered(subject, time, trigger).event);
  const resolveIdentifier = 'resolve-56-battery-low:00C0 FFEE';
  const level = { level: 'Alarm', severity: '3', catchAll: false, color: '', colorData: { text: 'red' } };
  expect(json).toMatchObject({ isError: true, title: 'Battery below 3.4 V', resolveIdentifier, healthLevel: level });
  expect(json['alarmTriggered']).toMatchObject({ resolveIdentifier, healthLevel: level });
});

test("writes some unset times and durations as empty objects, as in the contract's examples", () => {
  const webhook = create(WebhookSchema, { id: 7n, organization: 'acme', data: { url: 'https://x.example' } });
  const created = eventJson(publisherCreated(webhookSubject(webhook), time).event);
  expect(created['publisherCreated']).toMatchObject({ created: { inCooldownUntil: {} } });
  const updateJson = eventJson(
    publisherUpdated(webhookSubject(webhook), time, { data: webhookData({}), changed: ['tags'] }).event,
  );
  expect(updateJson['publisherUpdated']).toMatchObject({ healthWarningPeriod: {} });
  const organization = create(OrganizationSchema, { organization: 'acme-north', displayName: 'Acme North' });
  const childCreated = eventJson(organizationCreated('acme', organization, time).event);
  expect(childCreated['organizationCreated']).toMatchObject({ created: { contractSignatureDate: {} } });

  const coolingDown = create(WebhookSchema, { ...webhook, inCooldownUntil: presentTimestamp(time) });
  expect(eventJson(publisherCreated(webhookSubject(coolingDown), time).event)['publisherCreated']).toMatchObject({
    created: { inCooldownUntil: { timestamp: '2026-11-20T10:00:00.000Z' } },
  });
});

test('writes a publisher without its secret', () => {
  const webhook = create(WebhookSchema, {
    id: 7n,
    organization: 'acme',
    data: { url: 'https://x.example/in?token=1', secret: '' },
  });
  const json = eventJson(publisherCreated(webhookSubject(webhook), time).event);
  expect(json['publisherCreated']).toMatchObject({
    created: {
      id: '7',
      type: 'HTTP',
      http: { url: 'https://x.example/…', secret: '' },
      deprecatedData: { url: 'https://x.example/…', http: { secret: '' } },
    },
  });
});
