import { create, type JsonObject } from '@bufbuild/protobuf';

import type { Message } from '#proto/gen/hiber/message_pb.ts';
import { MessageSchema } from '#proto/gen/hiber/message_pb.ts';
import type { message } from '#server/db/schema/message.ts';
import { type EventTag, presentTags } from '#server/events/new-event.ts';
import { presentBytes, presentLocation, presentTimestamp } from '#server/wire/present.ts';

import { presentParsed } from './parsed.ts';

/** A message with the details of its device. */
export interface ListedMessage {
  readonly row: typeof message.$inferSelect;
  readonly name: string;
  readonly externalIds: string[];
  readonly timeZone: string | null;
}

/** Presents a message, with times formatted in the device's time zone (contract: Timestamp). */
export function presentMessage(
  { row, name, externalIds, timeZone }: ListedMessage,
  tags: readonly EventTag[],
): Message {
  const zone = timeZone ?? 'UTC';
  const { latitude, longitude } = row;
  return create(MessageSchema, {
    messageId: BigInt(row.id),
    modemNumber: row.number,
    modemName: name,
    modemIdentifier: externalIds[0] ?? '',
    sentAt: presentTimestamp(row.sentAt, zone),
    receivedAt: presentTimestamp(row.receivedAt, zone),
    location: latitude === null || longitude === null ? undefined : presentLocation({ latitude, longitude }),
    bodyBytes: presentBytes(row.body),
    body: row.body,
    ...presentParsed(row.parsed),
    isTest: row.isTest,
    isGatewayMessage: row.isGatewayMessage,
    viaGatewayMessage: BigInt(row.viaGatewayMessage ?? 0),
    metadata: (row.metadata ?? undefined) as JsonObject | undefined,
    tags: presentTags(tags),
    tagNames: tags.map((tag) => tag.name),
  });
}
