import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { toJson } from '@bufbuild/protobuf';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Event } from '#proto/hiber/event_pb';
import { EventSchema } from '#proto/hiber/event_pb';

/** Well-known types whose JSON is not an object of their fields. */
const opaque = new Set(['google.protobuf.Struct', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

/**
 * The event as webhooks deliver it (contract: Event JSON shape). Protobuf's own JSON mapping with implicit defaults
 * written out, and two rules on top: times always carry milliseconds, and a list or scalar inside a oneof or optional
 * stays absent when unset.
 */
export function eventJson(event: Event): JsonObject {
  const json = toJson(EventSchema, event, { alwaysEmitImplicit: true }) as JsonObject;
  withMilliseconds(EventSchema, json);
  return json;
}

/** Rewrites, in place, every google.protobuf.Timestamp below the message to exactly three decimals. */
function withMilliseconds(message: DescMessage, json: JsonObject): void {
  for (const field of message.fields) {
    const value = json[field.jsonName];
    const inner = field.message;
    if (value === undefined || value === null || !inner) continue;
    if (inner.typeName === 'google.protobuf.Timestamp') {
      json[field.jsonName] = new Date(value as string).toISOString();
    } else if (!opaque.has(inner.typeName)) {
      for (const child of children(field, value)) withMilliseconds(inner, child);
    }
  }
}

function children(field: DescField, value: JsonValue): JsonObject[] {
  if (field.fieldKind === 'message') return [value as JsonObject];
  if (field.fieldKind === 'list') return value as JsonObject[];
  return Object.values(value as JsonObject) as JsonObject[];
}
