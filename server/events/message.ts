/** Events about one message of a device. */
import type { ModemMessage } from '#proto/hiber/modem_pb';
import { EventType } from '#proto/hiber/event_type_pb';
import { presentBytes, presentTimestamp } from '#server/services/shared/present';
import type { NewEvent } from './new-event.ts';
import { newEvent, presentTags } from './new-event.ts';
import type { DeviceSubject } from './subject.ts';
import { describe, deviceEnvelope } from './subject.ts';

/** Raw, before parsing. `message` is the same that MESSAGE_RECEIVED will carry. */
export function messageBodyReceived(
  subject: DeviceSubject,
  time: Date,
  message: { id: number; sentAt: Date; body: Uint8Array },
): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.MESSAGE_BODY_RECEIVED,
      title: 'Message body received',
      description: `${describe(subject)} sent ${message.body.length} bytes.`,
    },
    (common) => ({
      case: 'messageBodyReceived',
      value: {
        ...common,
        deviceNumber: subject.number,
        deviceExternalDeviceId: subject.identifier,
        messageId: BigInt(message.id),
        sentAt: presentTimestamp(message.sentAt, subject.timeZone),
        body: presentBytes(message.body),
        tags,
      },
    }),
  );
}

/** The last event of a message, with everything that is known about it by then. */
export function messageReceived(subject: DeviceSubject, time: Date, message: ModemMessage): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.MESSAGE_RECEIVED,
      title: 'Message received',
      description: `A message of ${describe(subject)} was received.`,
    },
    (common) => ({
      case: 'messageReceived',
      value: {
        ...common,
        modemNumber: subject.number,
        deviceNumber: subject.number,
        deviceExternalDeviceId: subject.identifier,
        message,
        tags,
      },
    }),
  );
}
