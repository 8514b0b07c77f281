import { and, eq } from 'drizzle-orm';

import type { Executor, Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound } from '#server/wire/errors.ts';

/**
 * Returns the number of a device that the caller can see.
 *
 * @throws ConnectError INVALID_ARGUMENT if it isn't a number, NOT_FOUND if there is no such device
 */
export async function requireDevice(db: Executor, caller: Scope, text: string): Promise<string> {
  const { number, query } = findDevice(db, caller, text);
  return requireFound(caller, number, await query);
}

/** Like {@link requireDevice}. Also locks the device, so that one call at a time numbers its notes or edits them. */
export async function lockDevice(tx: Tx, caller: Scope, text: string): Promise<string> {
  const { number, query } = findDevice(tx, caller, text);
  // A weaker lock than `update`, because the notes' foreign key doesn't need to wait for it.
  return requireFound(caller, number, await query.for('no key update'));
}

function findDevice(db: Executor, caller: Scope, text: string) {
  const number = deviceNumber(text);
  const where = and(visibleDevices(deviceScope(caller)), eq(device.number, number));
  return { number, query: db.select({ number: device.number }).from(device).where(where) };
}

function requireFound({ organization }: Scope, number: string, rows: readonly unknown[]): string {
  if (rows.length === 0) throw notFound(`${organization} has no device ${number}.`);
  return number;
}
