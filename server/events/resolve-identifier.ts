import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/**
 * Opaque to clients; equal for every event that one condition of a device causes, so that one resolve ends them all.
 *
 * @param source that of the condition: the identifier of an alarm, or what `eventSource` gives
 */
export function resolveIdentifier(type: EventType, source: string, number: string): string {
  return `resolve-${type}-${source}:${number}`;
}

const PARTS = /^resolve-\d+-(.+):([0-9A-F]{4} [0-9A-F]{4})$/;

/** @returns the condition that the identifier belongs to; undefined for anything that was not made here */
export function conditionOf(identifier: string): { source: string; number: string } | undefined {
  const [, source, number] = PARTS.exec(identifier) ?? [];
  return source === undefined || number === undefined ? undefined : { source, number };
}
