import { fromBinary } from '@bufbuild/protobuf';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { WebhookCall } from '#proto/gen/hiber/webhook_pb.ts';
import { permissionForEvent } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';

/**
 * Removes from a call what the caller may not see. For an event that is hidden from them, they only see that there was
 * a call and how it went: someone with more permissions created the webhook, and the receiver's response may repeat the
 * event.
 */
export function visibleCall({ can }: Pick<Scope, 'can'>, call: WebhookCall): WebhookCall {
  const permission = permissionForEvent(fromBinary(EventSchema, call.bodyProto).type);
  if (permission === undefined || can(permission)) return call;
  const error = call.error.replace(/^(HTTP \d+): .*$/s, '$1');
  return { ...call, bodyProto: new Uint8Array(), bodyJson: '', error };
}
