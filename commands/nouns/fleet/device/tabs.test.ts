import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { MessageSchema } from '#proto/gen/hiber/message_pb.ts';
import { ModemSchema } from '#proto/gen/hiber/modem_pb.ts';

import type { Device } from './item.ts';
import { deviceTabs } from './tabs.ts';

const DEVICE: Device = {
  modem: create(ModemSchema, { number: 'AAAA BBBB', organization: 'northwind-north' }),
  level: 'none',
};

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
      {
        parserIdentifier: 'a1',
        parserName: 'Text',
        parsed: { case: 'result', value: { text: 'ok\nPressure: 99 bar' } },
      },
      {
        parserIdentifier: 'b2',
        parserName: 'Pressure',
        parsed: { case: 'error', value: 'Field frame at byte 0: 80 instead of 7F.' },
      },
    ],
  });
  const row = { deviceMessage, fields: new Map() } as never;
  expect(tab.columns.find(({ id }) => id === 'parsed')?.value(row)).toBe(
    'text ok Pressure: 99 bar · Pressure: Field frame at byte 0: 80 instead of 7F.',
  );
  const parts = tab.detail?.(row, DEVICE) ?? [];
  expect(parts.map(({ text }) => text)).toEqual([
    'text: ok Pressure: 99 bar',
    'Text, Pressure',
    'Pressure: Field frame at byte 0: 80 instead of 7F.',
  ]);
  expect(parts[1]?.links).toEqual([
    { entity: 'parser', id: 'a1', name: 'Text', organization: 'northwind-north' },
    { entity: 'parser', id: 'b2', name: 'Pressure', organization: 'northwind-north' },
  ]);
});

test("links the tags of an event to those of the device's organization", () => {
  const tab = deviceTabs.find(({ id }) => id === 'events')!;
  const tags = [{ id: 7n, label: { name: 'Reachable' } }];
  const event = create(EventSchema, { type: EventType.MESSAGE_RECEIVED, description: 'Sent 12 bytes.', tags });
  expect(tab.detail?.(event, DEVICE).at(-1)).toMatchObject({
    text: 'Reachable',
    links: [{ entity: 'tag', id: '7', name: 'Reachable', organization: 'northwind-north' }],
  });
});
