import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { changed, changedByUs, onChange } from './changes.ts';
import { gather } from './gather.ts';

const entities = [
  { name: 'device', changedBy: ['DEVICE_UPDATED', 'MESSAGE_RECEIVED'] },
  { name: 'tag', changedBy: ['DEVICE_UPDATED'] },
] as unknown as readonly AnyEntity[];
const updated = create(EventSchema, { type: EventType.DEVICE_UPDATED });

let heard: string[];
let stop: (() => void)[];
let events: ReturnType<typeof gather>;
beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  events = gather('northwind', entities);
  stop = [onChange(({ entity }) => heard.push(entity)), events.stop];
});
afterEach(() => {
  for (const pick of stop) pick();
  vi.useRealTimers();
});

it('answers many events with one refresh of each list', () => {
  for (let at = 0; at < 20; at++) events.add(updated);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(heard).toEqual(['device', 'tag']);
});

it('refreshes a list once for our own write and the event that tells of it, whichever comes first', () => {
  events.add(updated);
  changedByUs('northwind', ['device', 'tag']);
  events.add(updated);
  vi.advanceTimersByTime(5000);
  expect(heard).toEqual(['device', 'tag']);
});

it('refreshes again for what is told after our own refresh began', () => {
  changedByUs('northwind', ['device']);
  vi.advanceTimersByTime(100);
  events.add(updated);
  vi.advanceTimersByTime(5000);
  expect(heard).toEqual(['device', 'device', 'tag']);
});

it('keeps events of other lists, and of rows where only a row was asked for again', () => {
  events.add(updated);
  changed('northwind', ['tag']);
  changed('northwind', ['device'], ['AAAA BBBB']);
  vi.advanceTimersByTime(5000);
  expect(heard).toEqual(['tag', 'device', 'device']);
});
