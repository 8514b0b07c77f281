import { create, toBinary } from '@bufbuild/protobuf';
import { afterEach, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { signature } from '#server/publishing/targets/webhook/signature.ts';

import { readReceiverOptions } from './options.ts';
import { type Receiver, startReceiver } from './server.ts';

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const options = { port: 0, secret: 's3cret', header: 'X-Hub-Signature', status: 204 };
const event = { type: 'MESSAGE_RECEIVED', title: 'Message received', device: { number: '00C0 FFEE' } };

async function printCall(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<string> {
  const lines: string[] = [];
  receiver = await startReceiver(options, (line) => lines.push(line));
  const response = await fetch(receiver.url, { method: 'POST', body, headers });
  expect(response.status).toBe(204);
  return lines.join('\n');
}

test('prints the type, device, and title, and reports a valid signature', async () => {
  const body = JSON.stringify(event);
  const line = await printCall(body, {
    'X-Hub-Signature': signature('s3cret', Buffer.from(body)),
    'X-Quarterdeck-Delivery': '7',
  });
  expect(line).toMatch(/MESSAGE_RECEIVED {2}00C0 FFEE {2}Message received {2}signature OK {2}delivery 7$/);
});

test('reports a wrong or missing signature', async () => {
  expect(await printCall('{}', { 'X-Hub-Signature': signature('other', Buffer.from('{}')) })).toContain(
    'SIGNATURE WRONG',
  );
  await receiver?.close();
  expect(await printCall('{}', {})).toContain('UNSIGNED');
});

test('reads protobuf events', async () => {
  const body = toBinary(EventSchema, create(EventSchema, { type: EventType.TOKEN_CREATED, title: 'Token created' }));
  const line = await printCall(body, { 'Content-Type': 'application/x-protobuf' });
  expect(line).toContain('TOKEN_CREATED  (no device)  Token created');
});

test.each([
  [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
  [['--secret', ''], '--secret is empty'],
  [['--color', 'red'], "Unknown option '--color'. See npm run receiver -- --help."],
  [['extra'], 'extra'],
])('explains why it rejects %j', (argv, expected) => {
  expect(() => readReceiverOptions(argv)).toThrow(expected);
});
