import { create } from '@bufbuild/protobuf';

import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import {
  PushModemMessagesRequest_ResponseSchema,
  PushModemMessagesRequestSchema,
  type PushModemMessagesRequest_MessageToPush,
  TestingService,
} from '#proto/gen/hiber/testing_pb.ts';
import { service } from '#server/app/service.ts';
import { readLocation } from '#server/db/locations.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import type { IncomingMessage } from './ingest.ts';
import { createMessagePush } from './push.ts';

/**
 * The maximum number of messages per request (not specified in the contract). Requests of this size are close to gRPC's
 * size limit.
 */
const MAX_MESSAGES = 10_000;

export const testingService = service(TestingService, (app) => {
  const push = createMessagePush(app);
  return {
    /**
     * Processes the messages like those from real devices, but flags them as tests. If one fails, none is stored. The
     * response only echoes the messages, with normalized times and numbers.
     */
    async pushModemMessages(request, context) {
      const caller = scope(context);
      const now = app.now();
      if (request.messages.length > MAX_MESSAGES) {
        throw invalidArgument(
          `A request can push at most ${MAX_MESSAGES} messages. Split the ${request.messages.length} messages into several requests.`,
        );
      }
      const messages = request.messages.map((message, index) => readMessage(message, index, now));
      await push({ scope: deviceScope(caller), messages }, context.signal);
      return create(PushModemMessagesRequest_ResponseSchema, {
        request: create(PushModemMessagesRequestSchema, {
          organization: caller.organization,
          messages: request.messages.map((message, index) => ({
            ...message,
            modemNumber: messages[index]?.number ?? message.modemNumber,
            time: presentTimestamp(messages[index]?.sentAt ?? now),
          })),
        }),
      });
    },
  };
});

function readMessage(message: PushModemMessagesRequest_MessageToPush, index: number, now: Date): IncomingMessage {
  const field = `messages[${index}]`;
  // The contract defines no default, so use the current time.
  const sentAt = readTimestamp(message.time, now, `${field}.time`) ?? now;
  return {
    number: deviceNumber(message.modemNumber),
    sentAt,
    body: message.content ?? new Uint8Array(),
    location: message.location && readLocation(message.location, `"${field}.location"`),
    metadata: message.metadata,
    source: ModemMessage_Source.TEST,
  };
}
