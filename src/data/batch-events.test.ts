import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { batchEvents } from './batch-events.ts';
import { announceChange, announceOwnChange, onChange } from './changes.ts';

const entities = [
  { name: 'device', changedBy: ['DEVICE_UPDATED', 'MESSAGE_RECEIVED'] },
  { name: 'tag', changedBy: ['DEVICE_UPDATED'] },
] as unknown as readonly AnyEntity[];
const updateEvent = create(EventSchema, { type: EventType.DEVICE_UPDATED });

let reloads: string[];
let stops: (() => void)[];
let events: ReturnType<typeof batchEvents>;
beforeEach(() => {
  vi.useFakeTimers();
  reloads = [];
  events = batchEvents('northwind', () => entities);
  stops = [onChange(({ entity }) => reloads.push(entity)), events.stop];
});
afterEach(() => {
  for (const end of stops) end();
  vi.useRealTimers();
});

test('combines many events into one refresh per list', () => {
  for (let count = 0; count < 20; count++) events.add(updateEvent);
  expect(reloads).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(reloads).toEqual(['device', 'tag']);
});

test('refreshes a list once for our own change and its event, in either order', () => {
  events.add(updateEvent);
  announceOwnChange('northwind', ['device', 'tag']);
  events.add(updateEvent);
  vi.advanceTimersByTime(5000);
  expect(reloads).toEqual(['device', 'tag']);
});

test('refreshes again for events after our own refresh started', () => {
  announceOwnChange('northwind', ['device']);
  vi.advanceTimersByTime(100);
  events.add(updateEvent);
  vi.advanceTimersByTime(5000);
  expect(reloads).toEqual(['device', 'device', 'tag']);
});

test('keeps pending events if another list, or only a row of the list, was refreshed', () => {
  events.add(updateEvent);
  announceChange('northwind', ['tag']);
  announceChange('northwind', ['device'], ['AAAA BBBB']);
  vi.advanceTimersByTime(5000);
  expect(reloads).toEqual(['tag', 'device', 'device']);
});
