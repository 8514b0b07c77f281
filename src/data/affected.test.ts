import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { affectedBy, allAffected } from './affected.ts';

const event = (type: EventType) => create(EventSchema, { type, device: { number: 'AAAA BBBB' } });

test('refreshes the health levels before the devices when a level changes', () => {
  const affectedEntities = affectedBy(event(EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED), registry.entities);
  expect(affectedEntities).toEqual([{ name: 'health-level' }, { name: 'device' }, { name: 'process-point' }]);
});

test("refreshes only the device's row for an alarm", () => {
  const affectedEntities = affectedBy(event(EventType.ALARM_TRIGGERED), registry.entities);
  expect(affectedEntities).toEqual([{ name: 'device', id: 'AAAA BBBB' }]);
});

test('refreshes nothing for an unknown event type', () => {
  expect(affectedBy(event(9999 as EventType), registry.entities)).toEqual([]);
});

test('refreshes everything after a gap, reference data first', () => {
  const names = allAffected(registry.entities);
  expect(names.indexOf('health-level')).toBe(0);
  expect(names).toEqual(expect.arrayContaining(['device', 'tag', 'webhook']));
});
