import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';
import { connectEventSinks } from '#server/start/event-sinks.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { newEvent } from './new-event.ts';
import { announceResolved, connectSinks, recordEvents, type EventSink, type RecordedEvent } from './record.ts';

let db: Database;
beforeAll(async () => void (db = await openTestDatabase()));
afterAll(async () => {
  connectEventSinks();
  await db.close();
});

let calls: string[];
beforeEach(() => void (calls = []));

const testEvent = (title: string) =>
  newEvent(
    { organization: 'acme', type: EventType.USER_INVITED, time: new Date(), title, description: title },
    (common) => ({ case: 'userInvited', value: { ...common, email: 'ana@acme.example' } }),
  );
const titles = (stored: readonly RecordedEvent[]) => stored.map(({ event }) => event.event.title).join();
const sink = (name: string): EventSink => ({
  onRecorded: async (_, stored) => void calls.push(`${name}: ${titles(stored)}`),
});

test('passes events to every sink in turn', async () => {
  connectSinks([sink('emails'), sink('webhooks')]);
  await db.transaction((tx) => recordEvents(tx, [testEvent('first'), testEvent('second')]));
  expect(calls).toEqual(['emails: first,second', 'webhooks: first,second']);
});

test('passes resolved events only to sinks that handle them', async () => {
  const onResolved: EventSink['onResolved'] = async (_, stored) => void calls.push(`resolved: ${titles(stored)}`);
  connectSinks([sink('emails'), { ...sink('webhooks'), onResolved: onResolved }]);
  await db.transaction((tx) => announceResolved(tx, [{ id: 1, event: testEvent('alarm') }]));
  expect(calls).toEqual(['resolved: alarm']);
});

test('does not record events that a sink rejects', async () => {
  connectSinks([{ onRecorded: () => Promise.reject(new Error('no room')) }]);
  await expect(db.transaction((tx) => recordEvents(tx, [testEvent('lost')]))).rejects.toThrow('no room');
  const { rows } = await db.orm.execute(`select title from event where title = 'lost'`);
  expect(rows).toEqual([]);
});

test('does not record events while no sinks are connected', async () => {
  connectSinks([]);
  await expect(db.transaction((tx) => recordEvents(tx, [testEvent('lost')]))).rejects.toThrow('sinks');
});
