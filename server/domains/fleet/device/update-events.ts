import type { UpdateDevice } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { deviceInstalled, deviceUpdated } from './model/events.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { type SubjectRow, subjectsOf } from './model/subject.ts';
import type { Before } from './bulk-rules.ts';
import type { Changes } from './changes.ts';

/** What an event says of a device, and what else it may have to repeat. */
export interface UpdatedDevice extends SubjectRow {
  readonly peripherals: Record<string, string>;
}

/**
 * One update event per device, in order of number, and another for those that became installed by it.
 *
 * @param before as the devices were
 * @param updated the same as they are now, in any order
 */
export async function updateEvents(
  tx: Tx,
  organization: string,
  update: UpdateDevice,
  changes: Changes,
  before: readonly Before[],
  updated: readonly UpdatedDevice[],
  now: Date,
): Promise<NewEvent[]> {
  const changed = wordsFor(update, changes);
  if (changed.length === 0) return [];
  const subjects = await subjectsOf(tx, organization, updated);
  const peripherals = new Map(changes.peripherals && updated.map((device) => [device.number, device.peripherals]));
  return before.flatMap(({ number, lifecycle }) => {
    const subject = subjects.get(number);
    if (subject === undefined) return [];
    const event = deviceUpdated(subject, now, {
      name: changes.name === undefined ? undefined : subject.name,
      notes: changes.notes,
      secureNotes: changes.secureNotes !== undefined,
      peripherals: peripherals.get(number),
      changed,
    });
    const installed = changes.lifecycle === Modem_Lifecycle.INSTALLED && lifecycle !== Modem_Lifecycle.INSTALLED;
    return installed ? [event, deviceInstalled(subject, now)] : [event];
  });
}

const lifecycleNames = new Map(Object.entries(Modem_Lifecycle).map(([name, lifecycle]) => [lifecycle as number, name]));

/** For the description of the event. */
function wordsFor(update: UpdateDevice, changes: Changes): string[] {
  const words: [unknown, string][] = [
    [changes.name, 'name'],
    [changes.notes, 'notes'],
    [changes.secureNotes, 'secure notes'],
    [changes.peripherals, 'peripherals'],
    [changes.timeZone, 'time zone'],
    [changes.lifecycle, `lifecycle to ${lifecycleNames.get(changes.lifecycle ?? Modem_Lifecycle.INSTALLED)}`],
    [changes.transmissionInterval, 'transmission interval'],
    [changes.expectedTransmissionRate, 'expected transmission rate'],
    [changes.externalId, 'external identifier'],
    [changes.batteryReplacedAt, 'battery replacement'],
    [update.addFiles.length + update.deleteFiles.length || undefined, 'files'],
  ];
  return words.filter(([value]) => value !== undefined).map(([, word]) => word);
}
