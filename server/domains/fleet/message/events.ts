// Events about messages from devices.
import type { JsonObject } from '@bufbuild/protobuf';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { ModemMessage } from '#proto/gen/hiber/modem_pb.ts';
import type { DeviceSubject } from '#server/domains/fleet/device/model/subject.ts';
import { describeDevice, deviceEnvelope } from '#server/domains/fleet/device/model/subject.ts';
import { eventSource } from '#server/domains/signals/health-level/device-health.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent, presentTags, markResolvable } from '#server/events/new-event.ts';
import { resolveIdentifier } from '#server/events/resolve-identifier.ts';
import { presentBytes, presentTimestamp } from '#server/wire/present.ts';

/** Reports the raw body of a message, before parsing. MESSAGE_RECEIVED follows with the whole message. */
export function messageBodyReceived(
  subject: DeviceSubject,
  time: Date,
  message: { id: number; sentAt: Date; body: Uint8Array },
): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.MESSAGE_BODY_RECEIVED,
      title: 'Message body received',
      description: `${describeDevice(subject)} sent ${message.body.length} bytes.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({
      case: 'messageBodyReceived',
      value: {
        deviceNumber: subject.number,
        deviceExternalDeviceId: subject.identifier,
        messageId: BigInt(message.id),
        sentAt: presentTimestamp(message.sentAt, subject.timeZone),
        body: presentBytes(message.body),
        tags,
        ...common,
      },
    }),
  );
}

/** Reports the result of a parser, without its encrypted fields. */
export function messageBodyParsed(
  subject: DeviceSubject,
  time: Date,
  message: { id: number; sentAt: Date },
  parsed: { parser: string; name: string; plainResult: JsonObject },
): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.MESSAGE_BODY_PARSED,
      title: 'Message body parsed',
      description: `A message from ${describeDevice(subject)} was parsed by "${parsed.name}".`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({
      case: 'messageBodyParsed',
      value: {
        deviceNumber: subject.number,
        deviceExternalDeviceId: subject.identifier,
        messageId: BigInt(message.id),
        sentAt: presentTimestamp(message.sentAt, subject.timeZone),
        parserIdentifier: parsed.parser,
        parserName: parsed.name,
        parsedMessage: parsed.plainResult,
        tags,
        ...common,
      },
    }),
  );
}

/** Reports the complete message, as the last event about it. */
export function messageReceived(subject: DeviceSubject, time: Date, message: ModemMessage): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.MESSAGE_RECEIVED,
      title: 'Message received',
      description: `A message from ${describeDevice(subject)} was received.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({
      case: 'messageReceived',
      value: {
        modemNumber: subject.number,
        deviceNumber: subject.number,
        deviceExternalDeviceId: subject.identifier,
        message,
        tags,
        ...common,
      },
    }),
  );
}

/**
 * Recorded if every parser of the device failed, or the envelope was invalid. Not resolved automatically (contract:
 * Event types).
 *
 * @param messageId 0 if the message wasn't stored
 */
export function messageCannotBeParsed(
  subject: DeviceSubject,
  time: Date,
  failure: { messageId: number; reason: string; healthLevel: HealthLevel },
): NewEvent {
  const tags = presentTags(subject.tags);
  const { messageId, reason, healthLevel } = failure;
  const type = EventType.MESSAGE_CANNOT_BE_PARSED;
  const identifier = resolveIdentifier(type, eventSource(type), subject.number);
  return markResolvable(
    newEvent(
      {
        type,
        title: "Message can't be parsed",
        description: `A message from ${describeDevice(subject)} can't be parsed: ${reason}`,
        healthLevel,
        ...deviceEnvelope(subject, time, tags),
      },
      (common) => ({
        case: 'messageCannotBeParsed',
        value: {
          deviceNumber: subject.number,
          deviceExternalDeviceId: subject.identifier,
          messageId: BigInt(messageId),
          reason,
          tags,
          healthLevel,
          resolvedStatus: { case: 'resolveIdentifier', value: identifier },
          ...common,
        },
      }),
    ),
    identifier,
  );
}
