import { describe, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { allEventTypes, eventTypeName, permissionForEvent, visibleEventTypes } from './visibility.ts';

const { EXPORT_CREATED, EXPORT_FAILED, EXPORT_READY, ORGANIZATION_EVENT_CONFIGURATION_UPDATED, TOKEN_CREATED } =
  EventType;

describe('event types', () => {
  test('are all the types in the contract, except the default', () => {
    const numbers = Object.values(EventType).filter((value) => typeof value === 'number');
    expect(new Set(allEventTypes)).toEqual(new Set(numbers.filter((type) => type !== EventType.DEFAULT)));
  });

  test('require a permission, except for one type that any member can see', () => {
    expect(visibleEventTypes(() => false)).toEqual([ORGANIZATION_EVENT_CONFIGURATION_UPDATED]);
    expect(visibleEventTypes(() => true)).toEqual(allEventTypes);
    expect(new Set(visibleEventTypes((permission) => permission === 'EXPORT'))).toEqual(
      new Set([ORGANIZATION_EVENT_CONFIGURATION_UPDATED, EXPORT_CREATED, EXPORT_FAILED, EXPORT_READY]),
    );
  });

  test('have a name and a permission, unless they are unknown', () => {
    expect([eventTypeName(TOKEN_CREATED), permissionForEvent(TOKEN_CREATED)]).toEqual(['TOKEN_CREATED', 'TOKENS']);
    expect([eventTypeName(9999 as EventType), permissionForEvent(9999 as EventType)]).toEqual([undefined, undefined]);
    expect(permissionForEvent(ORGANIZATION_EVENT_CONFIGURATION_UPDATED)).toBeUndefined();
  });
});
