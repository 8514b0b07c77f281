import { fromBinary } from '@bufbuild/protobuf';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { WebhookCall } from '#proto/gen/hiber/webhook_pb.ts';
import { permissionForEvent } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';

/**
 * Removes the event from a webhook call if the user making the request is not allowed to see it, which happens if the
 * webhook was created by someone with more permissions. Also removes the receiver's response except its status because
 * the response can repeat the event.
 */
export function visibleCall({ can }: Pick<Scope, 'can'>, call: WebhookCall): WebhookCall {
  const permission = permissionForEvent(fromBinary(EventSchema, call.bodyProto).type);
  if (permission === undefined || can(permission)) return call;
  const error = call.error.replace(/^(HTTP \d+): .*$/s, '$1');
  return { ...call, bodyProto: new Uint8Array(), bodyJson: '', error };
}
