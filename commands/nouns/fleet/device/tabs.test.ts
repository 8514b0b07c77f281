import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { MessageSchema } from '#proto/gen/hiber/message_pb.ts';

import { deviceTabs } from './tabs.ts';

test.each([
  ['Message received', 'AAAA 0001 sent 12 bytes.', 'AAAA 0001 sent 12 bytes.'],
  ['Message received', '', 'Message received'],
  ['Message received (214 events)', 'Of 12 devices.', 'Message received (214 events)'],
  ['Pressure above 90 bar', 'Pressure stays below 90 bar.', 'Pressure above 90 bar'],
])("shows an event's description if its title only repeats the event type: %s", (title, description, expected) => {
  const column = deviceTabs.find(({ id }) => id === 'events')?.columns.find(({ id }) => id === 'title');
  const event = create(EventSchema, { type: EventType.MESSAGE_RECEIVED, title, description });
  expect(column?.value(event as never)).toBe(expected);
});

test('shows the values that one parser read, and why another one failed', () => {
  const tab = deviceTabs.find(({ id }) => id === 'messages')!;
  const deviceMessage = create(MessageSchema, {
    bodyFields: { text: 'ok\nPressure: 99 bar' },
    bodyParsed: [
      { parserName: 'Text', parsed: { case: 'result', value: { text: 'ok\nPressure: 99 bar' } } },
      { parserName: 'Pressure', parsed: { case: 'error', value: 'Field frame at byte 0: 80 instead of 7F.' } },
    ],
  });
  const row = { deviceMessage, fields: new Map() } as never;
  expect(tab.columns.find(({ id }) => id === 'parsed')?.value(row)).toBe(
    'text ok Pressure: 99 bar · Pressure: Field frame at byte 0: 80 instead of 7F.',
  );
  expect(tab.detail?.(row).map(({ text }) => text)).toEqual([
    'text: ok Pressure: 99 bar',
    'Pressure: Field frame at byte 0: 80 instead of 7F.',
  ]);
});
