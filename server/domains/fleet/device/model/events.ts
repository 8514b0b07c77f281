/** Events about one device. The subject is the device as it is after the change. */
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { presentLocation, presentTimestamp } from '#server/wire/present.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent, presentTags } from '#server/events/new-event.ts';
import type { DeviceSubject } from './subject.ts';
import { describe, deviceEnvelope, deviceFields } from './subject.ts';

export function deviceCreated(subject: DeviceSubject, time: Date): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.DEVICE_CREATED,
      title: 'Device created',
      description: `${describe(subject)} was created.`,
    },
    (common) => ({ case: 'deviceCreated', value: { ...common, ...deviceFields(subject), tags } }),
  );
}

/** What an edit changed. Absent is unchanged; an empty text is a cleared one. */
export interface DeviceChange {
  readonly name?: string;
  readonly notes?: string;
  /** Secure notes are never repeated in an event, only that they changed. */
  readonly secureNotes?: boolean;
  /** The complete map after the change. */
  readonly peripherals?: Record<string, string>;
  readonly deviceType?: string;
  /** Words for the description, in order: `name`, `lifecycle to PAUSED`, `tag "Needs visit" added`. */
  readonly changed: readonly string[];
}

export function deviceUpdated(subject: DeviceSubject, time: Date, change: DeviceChange): NewEvent {
  const tags = presentTags(subject.tags);
  const wrapper = (value: string | undefined) => (value === undefined ? undefined : { updated: true, value });
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.DEVICE_UPDATED,
      title: 'Device updated',
      description: `${describe(subject)} was updated: ${change.changed.join(', ')}.`,
    },
    (common) => ({
      case: 'deviceUpdated',
      value: {
        ...common,
        ...deviceFields(subject),
        tags,
        displayName: wrapper(change.name),
        updatedDisplayName: change.name,
        notes: wrapper(change.notes),
        updatedNotes: change.notes,
        secureNotesUpdated: change.secureNotes ?? false,
        peripherals: change.peripherals ?? {},
        deviceType: change.deviceType,
      },
    }),
  );
}

/** `updatedAt` is device time: when the device was there. */
export function deviceLocationUpdated(
  subject: DeviceSubject,
  time: Date,
  location: { latitude: number; longitude: number },
  updatedAt: Date,
): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.DEVICE_LOCATION_UPDATED,
      title: 'Device location updated',
      description: `${describe(subject)} is now at ${location.latitude}, ${location.longitude}.`,
    },
    (common) => ({
      case: 'deviceLocationUpdated',
      value: {
        ...common,
        ...deviceFields(subject),
        tags,
        location: presentLocation(location),
        updatedAt: presentTimestamp(updatedAt, subject.timeZone),
      },
    }),
  );
}

/** On entering INSTALLED (contract: Lifecycle). */
export function deviceInstalled(subject: DeviceSubject, time: Date): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      ...deviceEnvelope(subject, time, tags),
      type: EventType.DEVICE_INSTALLED,
      title: 'Device installed',
      description: `${describe(subject)} is now installed.`,
    },
    (common) => ({ case: 'deviceInstalled', value: { ...common, ...deviceFields(subject), tags } }),
  );
}
