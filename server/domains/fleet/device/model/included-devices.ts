import type { ConnectError } from '@connectrpc/connect';
import { and, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { device } from '#server/db/schema/device.ts';
import { notFound, describeMissing } from '#server/wire/errors.ts';

import type { DeviceCriteria } from './criteria.ts';
import { type DeviceScope, visibleDevices } from './where.ts';

/**
 * Checks that every included device exists and is visible to the caller. Any other number causes an error instead of
 * being silently ignored (contract: Filter). Does not check the exclude lists, because excluding a missing device has
 * no effect.
 *
 * @param knownDevices devices that the caller has already found
 */
export async function requireIncludedDevices(
  db: Executor,
  scope: DeviceScope,
  criteria: DeviceCriteria,
  knownDevices: readonly { number: string }[] = [],
): Promise<void> {
  const knownNumbers = new Set(knownDevices.map(({ number }) => number));
  const uncheckedNumbers = [...new Set([...criteria.numbers.include, ...criteria.gateways.include])].filter(
    (n) => !knownNumbers.has(n),
  );
  if (uncheckedNumbers.length === 0) return;
  const error = missingDevicesError(scope, uncheckedNumbers, await findVisibleNumbers(db, scope, uncheckedNumbers));
  if (error !== undefined) throw error;
}

/** Returns which of the given numbers exist and are visible to the caller. Looks up each number (key-rows.ts). */
export async function findVisibleNumbers(
  db: Executor,
  scope: DeviceScope,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await executePrepared<{ number: string }>(
    db,
    sql`select found.number from unnest(${sql.param([...numbers])}::text[]) as key (number)
      cross join lateral (
        select ${device.number} from ${device}
         where ${and(visibleDevices(scope), sql`${device.number} = key.number`)} offset 0
      ) as found`,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Returns the error for numbers without a visible device, or undefined if every number has one. */
export function missingDevicesError(
  scope: DeviceScope,
  numbers: readonly string[],
  visible: ReadonlySet<string>,
): ConnectError | undefined {
  const missingNumbers = [...new Set(numbers)].filter((number) => !visible.has(number));
  return missingNumbers.length === 0
    ? undefined
    : notFound(`${scope.home} has ${describeMissing('device', missingNumbers)}.`);
}
