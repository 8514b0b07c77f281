import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { ModemMessage_Source, ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import {
  PushModemMessagesRequest_ResponseSchema,
  PushModemMessagesRequestSchema,
  type PushModemMessagesRequest_MessageToPush,
  type TestingService,
} from '#proto/gen/hiber/testing_pb.ts';
import type { App } from '#server/app/app.ts';
import { type IncomingMessage, ingestMessages } from './ingest.ts';
import { scope } from '#server/session/scope.ts';
import { modemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope, requireNamedDevices } from '#server/domains/fleet/device/model/where.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readLocation } from '#server/db/locations.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

/** Messages in one request. Not stated; a request of this many is about as large as gRPC takes. */
const MAX_MESSAGES = 10_000;

export function testingService(app: App): ServiceImpl<typeof TestingService> {
  return {
    /**
     * Test messages are flagged as such and otherwise processed fully, all or none. The answer only echoes, with the
     * times and numbers that were understood.
     */
    async pushModemMessages(request, context) {
      const caller = scope(context);
      const now = app.now();
      if (request.messages.length > MAX_MESSAGES) {
        throw invalidArgument(
          `A request may push ${MAX_MESSAGES} messages; send these ${request.messages.length} in parts.`,
        );
      }
      const messages = request.messages.map((message, index) => read(message, index, now));
      await app.db.transaction(async (tx) => {
        const modems = { include: messages.map(({ number }) => number) };
        const named = modemCriteria(create(ModemSelectionSchema, { modems }), now);
        await requireNamedDevices(tx, deviceScope(caller), named);
        await ingestMessages(tx, caller.organization, messages, now);
      });
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
}

function read(message: PushModemMessagesRequest_MessageToPush, index: number, now: Date): IncomingMessage {
  const where = `messages[${index}]`;
  // The default is not stated: now.
  const sentAt = readTimestamp(message.time, now, `${where}.time`) ?? now;
  return {
    number: deviceNumber(message.modemNumber),
    sentAt,
    body: message.content ?? new Uint8Array(),
    location: message.location && readLocation(message.location, `${where}.location`),
    metadata: message.metadata,
    source: ModemMessage_Source.TEST,
  };
}
