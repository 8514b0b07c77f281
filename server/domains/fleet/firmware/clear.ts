import { and, eq, isNotNull, sql } from 'drizzle-orm';

import type { DeviceSelection } from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import { readDeviceCriteria, selectsEverything } from '#server/domains/fleet/device/model/criteria.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { buildDeviceSubjects, subjectColumns } from '#server/domains/fleet/device/model/subject.ts';
import { deviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** Marks the required firmware of the selected devices as flashed. Leaves devices without a requirement unchanged. */
export async function clearRequirement(app: App, caller: Scope, selection: DeviceSelection | undefined): Promise<void> {
  const now = app.now();
  const criteria = readDeviceCriteria(selection, now);
  // An omitted selection mustn't change a whole fleet by accident (not specified in the contract).
  if (selectsEverything(criteria)) throw invalidArgument('Select the devices whose requirement to clear.');
  const scope = deviceScope(caller);
  const { organization } = caller;
  await app.db.transaction(async (tx) => {
    const selectedDevices = await tx
      .select({ number: device.number, required: device.requiredFirmware })
      .from(device)
      .where(deviceWhere(scope, criteria))
      .orderBy(device.number)
      .for('update');
    await requireIncludedDevices(tx, scope, criteria, selectedDevices);
    const numbers = selectedDevices.flatMap(({ number, required }) => (required === null ? [] : [number]));
    if (numbers.length === 0) return;
    const rows = await tx
      .update(device)
      .set({ requiredFirmware: null, updatedAt: now })
      .where(
        and(
          eq(device.organization, organization),
          isNotNull(device.requiredFirmware),
          sql`${device.number} = any(${sql.param(numbers)}::text[])`,
        ),
      )
      .returning(subjectColumns);
    const subjects = await buildDeviceSubjects(tx, organization, rows);
    const events = numbers.flatMap((number) => subjects.get(number) ?? []);
    await recordEvents(
      tx,
      events.map((subject) => deviceUpdated(subject, now, { changed: ['required firmware cleared'] })),
    );
  });
}
