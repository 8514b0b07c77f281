import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/**
 * The organization permission that makes events of a type visible (contract: EventService); `undefined` means any
 * member.
 *
 * The contract does not state the permission of some types, so we chose these. Access requests, invitations, and
 * validation require the permission to manage users, while joining or leaving only requires the permission to see
 * members. Assignments require the permission for devices, and message summaries the one for messages. Any member can
 * read the event configuration, so any member can also see changes to it.
 */
const permissionOfType = {
  ORGANIZATION_CREATED: 'ORGANIZATION_CREATE',
  ORGANIZATION_UPDATED: 'ORGANIZATION_UPDATE',
  ORGANIZATION_DELETED: 'ORGANIZATION_DELETE',
  ORGANIZATION_EVENT_CONFIGURATION_UPDATED: undefined,
  ASSET_CREATED: 'PROCESS_POINTS',
  PROCESS_POINT_CREATED: 'PROCESS_POINTS',
  ASSET_UPDATED: 'PROCESS_POINTS',
  PROCESS_POINT_UPDATED: 'PROCESS_POINTS',
  ASSET_DELETED: 'PROCESS_POINTS',
  PROCESS_POINT_DELETED: 'PROCESS_POINTS',
  DEVICE_CREATED: 'MODEMS',
  DEVICE_UPDATED: 'MODEMS',
  DEVICE_LOCATION_UPDATED: 'MODEMS',
  DEVICE_INSTALLED: 'MODEMS',
  MESSAGE_RECEIVED: 'MODEM_MESSAGES',
  MESSAGE_BODY_PARSED: 'MODEM_MESSAGES',
  MESSAGE_BODY_RECEIVED: 'MODEM_MESSAGES',
  MESSAGE_CANNOT_BE_PARSED: 'MODEM_MESSAGES',
  MESSAGE_SUMMARY: 'MODEM_MESSAGES',
  MESSAGE_BODY_PARSER_CREATED: 'MODEMS_MESSAGE_BODY_PARSERS',
  MESSAGE_BODY_PARSER_UPDATED: 'MODEMS_MESSAGE_BODY_PARSERS',
  MESSAGE_BODY_PARSER_DELETED: 'MODEMS_MESSAGE_BODY_PARSERS',
  ALARM_TRIGGERED: 'MODEMS_ALARMS',
  ALARM_CREATED: 'MODEMS_ALARMS',
  ALARM_UPDATED: 'MODEMS_ALARMS',
  ALARM_DELETED: 'MODEMS_ALARMS',
  ASSIGNED: 'MODEMS',
  UNASSIGNED: 'MODEMS',
  TRANSFER: 'TRANSFERS',
  PUBLISHER_CREATED: 'PUBLISHERS',
  PUBLISHER_UPDATED: 'PUBLISHERS',
  PUBLISHER_DELETED: 'PUBLISHERS',
  PUBLISHER_FAILED: 'PUBLISHERS',
  PUBLISHER_AUTO_DISABLED: 'PUBLISHERS',
  USER_ACCESS_REQUEST: 'USERS_MANAGE',
  USER_INVITED: 'USERS_MANAGE',
  USER_ADDED: 'USERS',
  USER_REMOVED: 'USERS',
  USER_VALIDATION_UPDATED: 'USERS_MANAGE',
  TOKEN_CREATED: 'TOKENS',
  TOKEN_EXPIRY_WARNING: 'TOKENS',
  TOKEN_EXPIRED: 'TOKENS',
  TOKEN_DELETED: 'TOKENS',
  EXPORT_CREATED: 'EXPORT',
  EXPORT_READY: 'EXPORT',
  EXPORT_FAILED: 'EXPORT',
} as const satisfies Record<Exclude<keyof typeof EventType, 'DEFAULT'>, string | undefined>;

export type EventTypeName = keyof typeof permissionOfType;
export type EventPermission = Exclude<(typeof permissionOfType)[EventTypeName], undefined>;

const names = Object.keys(permissionOfType) as EventTypeName[];

/** All types except the zero value. */
export const allEventTypes: readonly EventType[] = names.map((name) => EventType[name]);

const nameOfType = new Map<EventType, EventTypeName>(names.map((name) => [EventType[name], name]));

/** Returns the type's name on the wire; undefined for a number that the contract does not define. */
export function eventTypeName(type: EventType): EventTypeName | undefined {
  return nameOfType.get(type);
}

/** Returns the permission required to see events of the type; undefined if any member can, or for an unknown type. */
export function permissionForEvent(type: EventType): EventPermission | undefined {
  const name = nameOfType.get(type);
  return name && permissionOfType[name];
}

/** Returns the types visible to the caller. */
export function visibleEventTypes(can: (permission: EventPermission) => boolean): EventType[] {
  return allEventTypes.filter((type) => {
    const permission = permissionForEvent(type);
    return permission === undefined || can(permission);
  });
}
