import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { toJson } from '@bufbuild/protobuf';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';

/** Well-known types that aren't written as an object of their fields. */
const OPAQUE_TYPES = new Set(['google.protobuf.Struct', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

/**
 * Returns the event as the JSON that webhooks send (contract: Event JSON shape). This is protobuf's JSON mapping with
 * implicit defaults and three additional rules. Times always have milliseconds, an unset list or scalar inside a oneof
 * or optional stays absent, and a few unset times are empty objects.
 */
export function eventJson(event: Event): JsonObject {
  const json = toJson(EventSchema, event, { alwaysEmitImplicit: true }) as JsonObject;
  adjust(EventSchema, json);
  return json;
}

/**
 * The full names of the time and duration fields that are empty objects in the contract's examples if they are unset.
 */
const emptyWhenUnset = new Set([
  'hiber.organization.Organization.contract_signature_date',
  'hiber.publisher.Publisher.in_cooldown_until',
  'hiber.event.Event.PublisherEvent.UpdatedEvent.health_warning_period',
]);

/**
 * Changes the JSON of a message in place: writes every google.protobuf.Timestamp with exactly three decimals, and adds
 * the empty objects.
 */
function adjust(message: DescMessage, json: JsonObject): void {
  for (const field of message.fields) {
    if (json[field.jsonName] === undefined && emptyWhenUnset.has(`${message.typeName}.${field.name}`)) {
      json[field.jsonName] = {};
    }
    const value = json[field.jsonName];
    const inner = field.message;
    if (value === undefined || value === null || !inner) continue;
    if (inner.typeName === 'google.protobuf.Timestamp') {
      json[field.jsonName] = new Date(value as string).toISOString();
    } else if (!OPAQUE_TYPES.has(inner.typeName)) {
      for (const child of children(field, value)) adjust(inner, child);
    }
  }
}

function children(field: DescField, value: JsonValue): JsonObject[] {
  if (field.fieldKind === 'message') return [value as JsonObject];
  if (field.fieldKind === 'list') return value as JsonObject[];
  return Object.values(value as JsonObject) as JsonObject[];
}
