import type { UpdateDevice } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import type { NewEvent } from '#server/events/new-event.ts';

import type { DeviceBeforeUpdate } from './bulk-rules.ts';
import type { Changes } from './changes.ts';
import { deviceInstalled, deviceUpdated } from './model/events.ts';
import { type DeviceSubject, type SubjectRow, buildDeviceSubjects } from './model/subject.ts';

/** A device after its update, with the columns that its events contain. */
export interface UpdatedDevice extends SubjectRow {
  readonly peripherals: Record<string, string>;
}

/** An update that was written, but whose events weren't recorded yet. */
export interface AppliedUpdate {
  readonly update: UpdateDevice;
  readonly changes: Changes;
  /** The devices before the update, ordered by number. */
  readonly before: readonly DeviceBeforeUpdate[];
  /** The same devices after the update, in any order. */
  readonly after: readonly UpdatedDevice[];
}

/**
 * Returns an update event for each device of each update, each followed by an installed event if the update installed
 * the device. Reads what the events contain once for all updates, so a device may be in only one of them.
 */
export async function updateEvents(
  tx: Tx,
  organization: string,
  updates: readonly AppliedUpdate[],
  now: Date,
): Promise<NewEvent[]> {
  const visibleUpdates = updates.filter(({ update, changes }) => changedPhrases(update, changes).length > 0);
  if (visibleUpdates.length === 0) return [];
  const subjects = await buildDeviceSubjects(
    tx,
    organization,
    visibleUpdates.flatMap(({ after }) => after),
  );
  return visibleUpdates.flatMap((update) => eventsOf(update, subjects, now));
}

function eventsOf(
  { update, changes, before, after }: AppliedUpdate,
  subjects: ReadonlyMap<string, DeviceSubject>,
  now: Date,
): NewEvent[] {
  const phrases = changedPhrases(update, changes);
  const peripherals = new Map(changes.peripherals && after.map((device) => [device.number, device.peripherals]));
  return before.flatMap(({ number, lifecycle }) => {
    const subject = subjects.get(number);
    if (subject === undefined) return [];
    const event = deviceUpdated(subject, now, {
      name: changes.name === undefined ? undefined : subject.name,
      notes: changes.notes,
      secureNotes: changes.secureNotes !== undefined,
      peripherals: peripherals.get(number),
      changed: phrases,
    });
    const isInstalled = changes.lifecycle === Modem_Lifecycle.INSTALLED && lifecycle !== Modem_Lifecycle.INSTALLED;
    return isInstalled ? [event, deviceInstalled(subject, now)] : [event];
  });
}

const LIFECYCLE_NAMES = new Map(
  Object.entries(Modem_Lifecycle).map(([name, lifecycle]) => [lifecycle as number, name]),
);

/** Returns the readable name of a lifecycle, such as `Pending maintenance`. */
function lifecycleText(lifecycle: Modem_Lifecycle): string {
  const name = LIFECYCLE_NAMES.get(lifecycle) ?? `${lifecycle}`;
  return name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** Returns the phrases for the event's description. */
function changedPhrases(update: UpdateDevice, changes: Changes): string[] {
  const phrases: [unknown, string][] = [
    [changes.name, 'name'],
    [changes.notes, 'notes'],
    [changes.secureNotes, 'secure notes'],
    [changes.peripherals, 'peripherals'],
    [changes.timeZone, 'time zone'],
    [changes.lifecycle, `lifecycle to ${lifecycleText(changes.lifecycle ?? Modem_Lifecycle.INSTALLED)}`],
    [changes.transmissionInterval, 'transmission interval'],
    [changes.expectedTransmissionRate, 'expected transmission rate'],
    [changes.externalId, 'external identifier'],
    [changes.batteryReplacedAt, 'battery replacement'],
    [update.addFiles.length + update.deleteFiles.length || undefined, 'files'],
  ];
  return phrases.filter(([value]) => value !== undefined).map(([, phrase]) => phrase);
}
