/** Events about a condition that affects a device's health. */
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { DeviceSubject } from '#server/domains/fleet/device/model/subject.ts';
import { describeDevice, deviceEnvelope } from '#server/domains/fleet/device/model/subject.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent, presentTags, markResolvable } from '#server/events/new-event.ts';
import { resolveIdentifier } from '#server/events/resolve-identifier.ts';

export interface AlarmTrigger {
  /** The alarm identifier, or the source of a built-in condition. */
  readonly alarm: string;
  readonly alarmDescription: string;
  /** The message, which is also the title (contract: Alarm event). */
  readonly errorMessage: string;
  readonly healthLevel: HealthLevel;
}

export function alarmTriggered(subject: DeviceSubject, time: Date, trigger: AlarmTrigger): NewEvent {
  const tags = presentTags(subject.tags);
  const { alarm, alarmDescription, errorMessage, healthLevel } = trigger;
  const identifier = resolveIdentifier(EventType.ALARM_TRIGGERED, alarm, subject.number);
  return markResolvable(
    newEvent(
      {
        type: EventType.ALARM_TRIGGERED,
        title: errorMessage,
        description: `${describeDevice(subject)}: ${errorMessage}`,
        healthLevel,
        ...deviceEnvelope(subject, time, tags),
      },
      (common) => ({
        case: 'alarmTriggered',
        value: {
          deviceNumber: subject.number,
          deviceExternalDeviceId: subject.identifier,
          alarmIdentifier: alarm,
          alarmDescription,
          errorMessages: { [alarm]: errorMessage },
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
