// Events about a single device. Their subject is the device after the change.
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent, presentTags } from '#server/events/new-event.ts';
import { presentLocation, presentTimestamp } from '#server/wire/present.ts';

import type { DeviceSubject } from './subject.ts';
import { describeDevice, deviceEnvelope, deviceFields } from './subject.ts';

export function deviceCreated(subject: DeviceSubject, time: Date): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.DEVICE_CREATED,
      title: 'Device created',
      description: `${describeDevice(subject)} was created.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({ case: 'deviceCreated', value: { tags, ...common, ...deviceFields(subject) } }),
  );
}

/** The changes in an update. Absent means unchanged, and an empty string means cleared. */
export interface DeviceChange {
  readonly name?: string;
  readonly notes?: string;
  /** True if the secure notes changed. Events never contain the notes themselves. */
  readonly secureNotes?: boolean;
  /** The complete map after the change. */
  readonly peripherals?: Record<string, string>;
  readonly deviceType?: string;
  /**
   * The changes as phrases for the description, such as `name`, `lifecycle to Paused`, or `tag "Needs visit" added`.
   */
  readonly changed: readonly string[];
}

export function deviceUpdated(subject: DeviceSubject, time: Date, change: DeviceChange): NewEvent {
  const tags = presentTags(subject.tags);
  const wrapper = (value: string | undefined) => (value === undefined ? undefined : { updated: true, value });
  return newEvent(
    {
      type: EventType.DEVICE_UPDATED,
      title: 'Device updated',
      description: `${describeDevice(subject)} was updated: ${change.changed.join(', ')}.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({
      case: 'deviceUpdated',
      value: {
        tags,
        displayName: wrapper(change.name),
        updatedDisplayName: change.name,
        notes: wrapper(change.notes),
        updatedNotes: change.notes,
        secureNotesUpdated: change.secureNotes ?? false,
        peripherals: change.peripherals ?? {},
        deviceType: change.deviceType,
        ...common,
        ...deviceFields(subject),
      },
    }),
  );
}

/**
 * Creates the event for a new location.
 *
 * @param updatedAt the device's own timestamp for the location
 */
export function deviceLocationUpdated(
  subject: DeviceSubject,
  time: Date,
  location: { latitude: number; longitude: number },
  updatedAt: Date,
): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.DEVICE_LOCATION_UPDATED,
      title: 'Device location updated',
      description: `${describeDevice(subject)} is now at ${location.latitude}, ${location.longitude}.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({
      case: 'deviceLocationUpdated',
      value: {
        tags,
        location: presentLocation(location),
        updatedAt: presentTimestamp(updatedAt, subject.timeZone),
        ...common,
        ...deviceFields(subject),
      },
    }),
  );
}

/** Recorded when a device enters INSTALLED (contract: Lifecycle). */
export function deviceInstalled(subject: DeviceSubject, time: Date): NewEvent {
  const tags = presentTags(subject.tags);
  return newEvent(
    {
      type: EventType.DEVICE_INSTALLED,
      title: 'Device installed',
      description: `${describeDevice(subject)} is now installed.`,
      ...deviceEnvelope(subject, time, tags),
    },
    (common) => ({ case: 'deviceInstalled', value: { tags, ...common, ...deviceFields(subject) } }),
  );
}
