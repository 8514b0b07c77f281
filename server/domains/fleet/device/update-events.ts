import type { UpdateDevice } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import type { NewEvent } from '#server/events/new-event.ts';

import type { DeviceBeforeUpdate } from './bulk-rules.ts';
import type { Changes } from './changes.ts';
import { deviceInstalled, deviceUpdated } from './model/events.ts';
import { type SubjectRow, buildDeviceSubjects } from './model/subject.ts';

/** A device after its update, with the columns that its events contain. */
export interface UpdatedDevice extends SubjectRow {
  readonly peripherals: Record<string, string>;
}

/**
 * Returns an update event for each device, ordered by number, each followed by an installed event if the update
 * installed the device.
 *
 * @param before the devices before the update
 * @param updatedDevices the same devices after the update, in any order
 */
export async function updateEvents(
  tx: Tx,
  organization: string,
  update: UpdateDevice,
  changes: Changes,
  before: readonly DeviceBeforeUpdate[],
  updatedDevices: readonly UpdatedDevice[],
  now: Date,
): Promise<NewEvent[]> {
  const phrases = changedPhrases(update, changes);
  if (phrases.length === 0) return [];
  const subjects = await buildDeviceSubjects(tx, organization, updatedDevices);
  const peripherals = new Map(
    changes.peripherals && updatedDevices.map((device) => [device.number, device.peripherals]),
  );
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
