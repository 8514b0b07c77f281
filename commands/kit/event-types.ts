import { p } from '#commands/model/params.ts';
import { enumName } from '#commands/model/wire.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

import { enumLabels } from './enum-labels.ts';

/** The event types that people can subscribe to, except those for assets, the former name of process points. */
export const EVENTS = p.names(EventType, ['DEFAULT', 'ASSET_CREATED', 'ASSET_UPDATED', 'ASSET_DELETED']);

export const eventLabels = enumLabels(EventType, 'event:type');

export function eventNames(types: readonly EventType[]): readonly string[] {
  return types.flatMap((type) => enumName(EventType, type) ?? []);
}

export function eventTypes(names: readonly string[]): EventType[] {
  return names.map((name) => EventType[name as keyof typeof EventType]);
}
