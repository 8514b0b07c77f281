import {
  and,
  arrayOverlaps,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

import type { LocationSelection } from '#proto/gen/hiber/base_pb.ts';
import { Modem_Lifecycle, Modem_Type } from '#proto/gen/hiber/modem_pb.ts';
import { anyOf, inOrganizations } from '#server/db/any-of.ts';
import { isWithin, readLocationSelection } from '#server/db/locations.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag } from '#server/db/schema/tag.ts';
import { transferDevice } from '#server/db/schema/transfer.ts';
import type { Scope } from '#server/session/scope.ts';
import { hiddenLifecycles } from '#server/wire/lifecycles.ts';

import type { DeviceCriteria, IncludeExclude } from './criteria.ts';
import { matchesSearch } from './search.ts';
import { deviceBrand } from './sort.ts';
import { type TagScope, taggedWith } from './tag-selection.ts';

/** The organizations to search for devices, and the caller's permissions there. */
export interface DeviceScope {
  /** The organization that the request acts in. */
  readonly home: string;
  /** `home`, possibly with some of its descendants. */
  readonly organizations: readonly string[];
  /** True if the caller has DEVICE_VIEW_ALL_LIFECYCLES. */
  readonly allLifecycles: boolean;
}

export const deviceScope = ({ organization, allLifecycles }: Scope): DeviceScope => ({
  home: organization,
  organizations: [organization],
  allLifecycles,
});

/** Returns a condition on rows of `device`. Matches devices in scope, in lifecycles that the caller may see. */
export function visibleDevices(scope: DeviceScope): SQL | undefined {
  const excludedLifecycles = hiddenFrom(scope);
  return and(
    inOrganizations(device.organization, scope.organizations),
    excludedLifecycles.length === 0 ? undefined : notInArray(device.lifecycle, [...excludedLifecycles]),
  );
}

/** Returns the lifecycles that the caller may not see. */
export const hiddenFrom = ({ allLifecycles }: DeviceScope): readonly number[] =>
  allLifecycles ? [] : hiddenLifecycles;

export const tagScope = (scope: DeviceScope): TagScope => ({ home: scope.home, visibleDevices: visibleDevices(scope) });

/** Lifecycles that are left out unless the request includes them (contract: ModemSelection). */
export const optInLifecycles: readonly number[] = [Modem_Lifecycle.DISABLED, Modem_Lifecycle.DECOMMISSIONED];

/** Returns a condition on rows of `device` for a whole selection, limited to the devices that the caller may see. */
export function deviceWhere(
  scope: DeviceScope,
  criteria: DeviceCriteria,
  location?: LocationSelection,
): SQL | undefined {
  const locations = readLocationSelection(location);
  const { lifecycles, lastMessage } = criteria;
  return and(
    visibleDevices(scope),
    lifecycles.include.length > 0
      ? inArray(device.lifecycle, lifecycles.include)
      : scope.allLifecycles
        ? notInArray(device.lifecycle, [...optInLifecycles])
        : undefined,
    lifecycles.exclude.length > 0 ? notInArray(device.lifecycle, lifecycles.exclude) : undefined,
    matchesFilter(device.number, criteria.numbers),
    matchesFilter(device.gateway, criteria.gateways),
    matchesFilter(device.healthLevel, criteria.healthLevels),
    matchesFilter(device.type, criteria.types),
    matchesFilter(device.deviceType, criteria.deviceTypes),
    // An empty brand selects devices without one.
    matchesFilter(sql`coalesce(${deviceBrand}, '')`, criteria.sensorBrands),
    criteria.identifiers.include.length > 0
      ? arrayOverlaps(device.externalIds, criteria.identifiers.include)
      : undefined,
    criteria.identifiers.exclude.length > 0
      ? not(arrayOverlaps(device.externalIds, criteria.identifiers.exclude))
      : undefined,
    criteria.onlyActive ? eq(device.lifecycle, Modem_Lifecycle.INSTALLED) : undefined,
    criteria.onlyGateways ? eq(device.type, Modem_Type.GATEWAY) : undefined,
    criteria.onlyWithExternalId ? sql`cardinality(${device.externalIds}) > 0` : undefined,
    criteria.externalIds.length > 0 ? arrayOverlaps(device.externalIds, criteria.externalIds) : undefined,
    lastMessage.start ? gte(device.lastMessageReceivedAt, lastMessage.start) : undefined,
    lastMessage.end ? lte(device.lastMessageReceivedAt, lastMessage.end) : undefined,
    withPeripherals(criteria),
    criteria.onlyConnected ? isNotNull(device.gateway) : undefined,
    criteria.onlyUnconnected ? isNull(device.gateway) : undefined,
    criteria.transfers.length > 0 ? wasInTransfer(criteria.transfers) : undefined,
    taggedWith(
      deviceTag,
      sql`${deviceTag.organization} = ${device.organization} and ${deviceTag.number} = ${device.number}`,
      tagScope(scope),
      criteria.tags,
    ),
    locations && isWithin(device.latitude, device.longitude, locations),
    matchesSearch(scope.organizations, criteria.search),
  );
}

/**
 * Returns the condition for a filter, with each list as a single parameter. An exclude list does not drop rows where
 * the column is null.
 */
function matchesFilter<T extends string | number>(
  column: AnyPgColumn | SQL,
  { include, exclude }: IncludeExclude<T>,
): SQL | undefined {
  const type = sql.raw(typeof (include[0] ?? exclude[0]) === 'number' ? 'int[]' : 'text[]');
  return and(
    include.length > 0 ? sql`${column} = any(${sql.param(include)}::${type})` : undefined,
    exclude.length > 0 ? sql`(${column} = any(${sql.param(exclude)}::${type})) is not true` : undefined,
  );
}

/** Matches devices that their organization received in one of the transfers. */
const wasInTransfer = (transfers: readonly string[]): SQL =>
  sql`(${device.organization}, ${device.number}) in (
    select organization, number from ${transferDevice} where ${anyOf(transferDevice.transfer, transfers)})`;

function withPeripherals({ peripherals, onlyWithoutPeripherals }: DeviceCriteria): SQL | undefined {
  if (onlyWithoutPeripherals) return sql`${device.peripherals} = '{}'`;
  if (peripherals === undefined) return undefined;
  // An empty list matches any version, and '' matches a peripheral without a version (contract: MapFilter).
  const has = ([name, { value }]: [string, { value: string[] }]): SQL =>
    value.length === 0
      ? sql`jsonb_exists(${device.peripherals}, ${name})`
      : sql`coalesce(${device.peripherals} ->> ${name} = any(${sql.param(value)}::text[]), false)`;
  return and(
    ...Object.entries(peripherals.includeAnd).map(has),
    ...Object.entries(peripherals.exclude).map((item) => not(has(item))),
  );
}
