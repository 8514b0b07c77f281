import { and, not, type SQL, sql } from 'drizzle-orm';

import type { LocationSelection } from '#proto/gen/hiber/base_pb.ts';
import { anyOf, inOrganizations } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { isAmong } from '#server/db/is-among.ts';
import { device } from '#server/db/schema/device.ts';

import { type DeviceCriteria, isUnset, selectsEverything } from './criteria.ts';
import { numbersWithWord, wordsIn } from './search.ts';
import { type DeviceScope, deviceWhere, hiddenFrom, optInLifecycles } from './where.ts';

/** Counts the devices that match {@link deviceWhere}. */
export async function countDevices(
  db: Executor,
  scope: DeviceScope,
  criteria: DeviceCriteria,
  location?: LocationSelection,
): Promise<number> {
  const words = wordsIn(criteria.search);
  const isOnlySearch = words.length > 0 && selectsEverything({ ...criteria, search: '' }) && isUnset(location);
  // In a single organization, every number is a different device.
  if (isOnlySearch && scope.organizations.length === 1) return countSearched(db, scope, words);
  return db.$count(device, deviceWhere(scope, criteria, location));
}

/**
 * Counts the devices that match a search and nothing else. Counts the different numbers among the matches, except those
 * of the few devices in excluded lifecycles, because checking for each device whether it matches reads the whole fleet.
 */
async function countSearched(
  db: Executor,
  scope: DeviceScope,
  [firstWord = '', ...otherWords]: readonly string[],
): Promise<number> {
  const { organizations } = scope;
  const excludedDevices = sql`select ${device.number} from ${device} where ${and(
    inOrganizations(device.organization, organizations),
    anyOf(device.lifecycle, [...hiddenFrom(scope), ...optInLifecycles]),
  )}`;
  const number = sql`matches.number`;
  const conditions: SQL[] = [
    ...otherWords.map((word) => isAmong(number, numbersWithWord(organizations, word))),
    not(isAmong(number, excludedDevices)),
  ];
  // `offset 0` keeps PostgreSQL from moving the conditions into both parts of the union, which would run them twice.
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from (
      select distinct number from (${numbersWithWord(organizations, firstWord)}) as found offset 0
    ) as matches where ${and(...conditions)}`);
  return rows[0]?.total ?? 0;
}
