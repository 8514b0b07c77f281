import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import { createSealer } from '#server/base/secrets.ts';

import { reservedHeaders, webhookCall } from './call.ts';
import { sealHeaders } from './headers.ts';
import type { WebhookRow } from './rows.ts';
import { signature } from './signature.ts';

const secrets = createSealer(Buffer.alloc(32, 7));

const event = create(EventSchema, { type: EventType.DEVICE_UPDATED, title: 'Device updated' });
const body = toBinary(EventSchema, event);
const row = {
  url: 'https://a.example/in?token=abcd',
  secret: null,
  contentType: Webhook_ContentType.DEFAULT,
  hmacHeaderName: '',
  customHeaders: {},
} as WebhookRow;
const call = (overrides: Partial<WebhookRow> = {}, delivery: number | undefined = 7) =>
  webhookCall({ ...row, ...overrides }, body, delivery, secrets, '1.2');

test('sends JSON, with headers for the event type and the delivery', () => {
  const { headers, shownHeaders, body: sentBody, bodyJson, bodyProto, url, credentials } = call();
  expect(headers).toEqual({
    'User-Agent': 'Quarterdeck/1.2',
    'Content-Type': 'application/json',
    'X-Quarterdeck-Event': 'DEVICE_UPDATED',
    'X-Quarterdeck-Delivery': '7',
  });
  expect(shownHeaders).toEqual(headers);
  expect([new TextDecoder().decode(sentBody), bodyProto, url]).toEqual([bodyJson, body, row.url]);
  expect(JSON.parse(bodyJson)).toMatchObject({ title: 'Device updated' });
  expect(credentials).toEqual(['token=abcd', 'abcd']);
});

test('omits the delivery header from a test call', () => {
  expect(webhookCall(row, body, undefined, secrets, '1.2').headers).not.toHaveProperty('X-Quarterdeck-Delivery');
});

test('sends protobuf as stored, and shows it as JSON', () => {
  const { headers, body: sentBody, bodyJson } = call({ contentType: Webhook_ContentType.PROTO });
  expect(headers['Content-Type']).toBe('application/x-protobuf');
  expect(fromBinary(EventSchema, sentBody)).toEqual(fromBinary(EventSchema, body));
  expect(JSON.parse(bodyJson)).toMatchObject({ title: 'Device updated' });
});

test('puts the signature of the body into the configured header', () => {
  const secret = secrets.seal('s3cret');
  const defaultHeader = call({ secret });
  expect(defaultHeader.headers['X-Hub-Signature']).toBe(signature('s3cret', defaultHeader.body));
  const namedHeader = call({ secret, hmacHeaderName: 'X-Signed' });
  expect(namedHeader.headers['X-Signed']).toBe(signature('s3cret', namedHeader.body));
  expect(namedHeader.headers).not.toHaveProperty('X-Hub-Signature');
});

test('sends custom headers, shows them blank, and treats their values as credentials', () => {
  const customHeaders = sealHeaders(secrets, { 'USER-agent': 'Mine', 'X-Key': 'hunter22' });
  const { headers, shownHeaders, credentials } = call({ customHeaders });
  expect(headers).toMatchObject({ 'USER-agent': 'Mine', 'X-Key': 'hunter22' });
  expect(headers).not.toHaveProperty('User-Agent');
  expect(shownHeaders).toMatchObject({ 'USER-agent': '', 'X-Key': '', 'Content-Type': 'application/json' });
  expect(credentials).toEqual(['Mine', 'hunter22', 'token=abcd', 'abcd']);
});

test('reserves headers that describe the connection or the body', () => {
  const names =
    'connection content-length content-type expect host keep-alive proxy-connection te trailer transfer-encoding upgrade';
  expect([...reservedHeaders].toSorted()).toEqual(
    [...names.split(' '), 'x-quarterdeck-delivery', 'x-quarterdeck-event'].toSorted(),
  );
});
