import { and, eq, sql } from 'drizzle-orm';
import type { UpdateDevice } from '#proto/hiber/device_pb';
import { Modem_Lifecycle } from '#proto/hiber/modem_pb';
import type { Tx } from '../../db/database.ts';
import { device } from '../../db/schema/device.ts';
import { deviceInstalled, deviceUpdated } from '../../events/device.ts';
import type { NewEvent } from '../../events/new-event.ts';
import { deviceSubjects } from '../../events/subject.ts';
import type { Before } from './bulk-rules.ts';
import type { Changes } from './changes.ts';

/** One update event per device, and another for those that became installed by it. */
export async function updateEvents(
  tx: Tx,
  organization: string,
  update: UpdateDevice,
  changes: Changes,
  selected: readonly Before[],
  now: Date,
): Promise<NewEvent[]> {
  const changed = wordsFor(update, changes);
  if (changed.length === 0) return [];
  const numbers = selected.map(({ number }) => number);
  const subjects = await deviceSubjects(tx, organization, numbers);
  const peripherals = changes.peripherals ? await peripheralsOf(tx, organization, numbers) : undefined;
  return selected.flatMap(({ number, lifecycle }) => {
    const subject = subjects.get(number);
    if (subject === undefined) return [];
    const updated = deviceUpdated(subject, now, {
      name: changes.name === undefined ? undefined : subject.name,
      notes: changes.notes,
      secureNotes: changes.secureNotes !== undefined,
      peripherals: peripherals?.get(number),
      changed,
    });
    const installed = changes.lifecycle === Modem_Lifecycle.INSTALLED && lifecycle !== Modem_Lifecycle.INSTALLED;
    return installed ? [updated, deviceInstalled(subject, now)] : [updated];
  });
}

async function peripheralsOf(tx: Tx, organization: string, numbers: string[]) {
  const rows = await tx
    .select({ number: device.number, peripherals: device.peripherals })
    .from(device)
    .where(and(eq(device.organization, organization), sql`${device.number} = any(${sql.param(numbers)}::text[])`));
  return new Map(rows.map((row) => [row.number, row.peripherals]));
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
