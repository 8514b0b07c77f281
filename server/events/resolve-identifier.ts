import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/**
 * Builds the identifier for resolving an event, which is opaque to clients. All events about one condition of a device
 * share it, so they are all resolved together.
 *
 * @param source the source of the condition: the identifier of an alarm, or the result of `eventSource`
 */
export function resolveIdentifier(type: EventType, source: string, number: string): string {
  return `resolve-${type}-${source}:${number}`;
}

const PARTS = /^resolve-\d+-(.+):([0-9A-F]{4} [0-9A-F]{4})$/;

/** Returns the condition that the identifier belongs to; undefined if the identifier has another format. */
export function parseResolveIdentifier(identifier: string): { source: string; number: string } | undefined {
  const [, source, number] = PARTS.exec(identifier) ?? [];
  return source === undefined || number === undefined ? undefined : { source, number };
}
