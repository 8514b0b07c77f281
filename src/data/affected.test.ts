import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { affectedBy, everythingOf } from './affected.ts';

const event = (type: EventType) => create(EventSchema, { type, device: { number: 'AAAA BBBB' } });

it('a change of health levels asks for the levels first, then for the devices that show them', () => {
  const changed = affectedBy(event(EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED), registry.entities);
  expect(changed).toEqual([{ name: 'health-level' }, { name: 'device' }]);
});

it('an alarm, raised or resolved, asks for the row of its device alone', () => {
  const changed = affectedBy(event(EventType.ALARM_TRIGGERED), registry.entities);
  expect(changed).toEqual([{ name: 'device', id: 'AAAA BBBB' }]);
});

it('an event of an unknown type asks for nothing', () => {
  expect(affectedBy(event(9999 as EventType), registry.entities)).toEqual([]);
});

it('after a gap everything is asked for again, reference data first', () => {
  const names = everythingOf(registry.entities);
  expect(names.indexOf('health-level')).toBe(0);
  expect(names).toEqual(expect.arrayContaining(['device', 'tag', 'webhook']));
});
