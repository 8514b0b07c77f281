import type { DeviceSelection } from '#proto/gen/hiber/device_pb.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { type Range, readTimeRange } from '#server/wire/timestamps.ts';

import { deviceNumber } from './number.ts';

export interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/** The matching values per name, as in MapFilter. An empty list matches any value. */
export interface PropertyCriteria {
  readonly includeAnd: Record<string, { value: string[] }>;
  readonly exclude: Record<string, { value: string[] }>;
}

/**
 * The common form of the contract's two selections of devices, ModemSelection and DeviceSelection. The criteria are
 * combined with AND.
 */
export interface DeviceCriteria {
  readonly search: string;
  /** Canonical device numbers. */
  readonly numbers: IncludeExclude<string>;
  readonly gateways: IncludeExclude<string>;
  readonly identifiers: IncludeExclude<string>;
  readonly healthLevels: IncludeExclude<string>;
  /** Values of Modem.Lifecycle. An empty `include` means the normal lifecycles. */
  readonly lifecycles: IncludeExclude<number>;
  /** Values of Modem.Type. */
  readonly types: IncludeExclude<number>;
  readonly deviceTypes: IncludeExclude<string>;
  readonly sensorBrands: IncludeExclude<string>;
  readonly tags: TagSelection | undefined;
  /** Deprecated. Restricts `lifecycles` further to INSTALLED, which the contract calls active. */
  readonly onlyActive: boolean;
  /** Deprecated. Restricts `types` further to gateways. */
  readonly onlyGateways: boolean;
  readonly onlyWithExternalId: boolean;
  /** Deprecated. Restricts `identifiers` further to devices with any of these external identifiers. */
  readonly externalIds: string[];
  readonly lastMessage: Range;
  readonly peripherals: PropertyCriteria | undefined;
  readonly onlyWithoutPeripherals: boolean;
  readonly onlyConnected: boolean;
  readonly onlyUnconnected: boolean;
  readonly transfers: string[];
}

const GATEWAY_TYPE = 2;

const readFilter = <T>(filter: { include: T[]; exclude: T[] } | undefined): IncludeExclude<T> => ({
  include: filter?.include ?? [],
  exclude: filter?.exclude ?? [],
});

const readNumberFilter = (filter: { include: string[]; exclude: string[] } | undefined): IncludeExclude<string> => ({
  include: (filter?.include ?? []).map(deviceNumber),
  exclude: (filter?.exclude ?? []).map(deviceNumber),
});

/**
 * Reads the criteria of a selection.
 *
 * @throws ConnectError INVALID_ARGUMENT if a value is invalid, or the selection uses a criterion that this server
 *   doesn't support
 */
export function readModemCriteria(selection: ModemSelection | undefined, now: Date): DeviceCriteria {
  const { peripheralSelection, activatedIn } = selection ?? {};
  // Ignoring activated_in would select more devices than the caller means to change.
  if (activatedIn?.start || activatedIn?.end) {
    throw invalidArgument(
      "The selection has activated_in, but this server doesn't record when a device was activated. Leave it out.",
    );
  }
  return {
    search: selection?.freeTextSearch?.trim() ?? '',
    numbers: readNumberFilter(selection?.modems),
    gateways: readNumberFilter(selection?.connectedToGateways),
    identifiers: readFilter(selection?.identifiers),
    healthLevels: { include: selection?.healthLevels ?? [], exclude: [] },
    lifecycles: { include: selection?.lifecycles ?? [], exclude: [] },
    types: { include: selection?.includeTypes ?? [], exclude: selection?.excludeTypes ?? [] },
    deviceTypes: readFilter(selection?.deviceTypes),
    sensorBrands: readFilter(selection?.sensorBrands),
    tags: selection?.filterByTags,
    onlyActive: selection?.onlyActive ?? false,
    onlyGateways: selection?.onlyGateways ?? false,
    onlyWithExternalId: selection?.onlyHasExternalDeviceIds ?? false,
    externalIds: selection?.externalDeviceIds ?? [],
    lastMessage: readTimeRange(selection?.withLastMessageIn, now, 'with_last_message_in'),
    peripherals: peripheralSelection?.case === 'peripherals' ? peripheralSelection.value : undefined,
    onlyWithoutPeripherals: peripheralSelection?.case === 'onlyWithoutPeripheral' && peripheralSelection.value,
    onlyConnected: selection?.onlyConnectedToGateway ?? false,
    onlyUnconnected: selection?.notConnectedToGateway ?? false,
    transfers: selection?.transfers?.transfersIdentifiers ?? [],
  };
}

export function readDeviceCriteria(selection: DeviceSelection | undefined, now: Date): DeviceCriteria {
  const properties = selection?.peripherals?.selection;
  return {
    search: selection?.freeTextSearch?.trim() ?? '',
    numbers: readNumberFilter(selection?.modems),
    gateways: readNumberFilter(selection?.withGateways),
    identifiers: readFilter(selection?.identifiers),
    healthLevels: readFilter(selection?.healthLevel),
    lifecycles: readFilter(selection?.lifecycles),
    types: { include: [], exclude: selection?.excludeGateways ? [GATEWAY_TYPE] : [] },
    deviceTypes: readFilter(selection?.deviceTypes),
    sensorBrands: readFilter(selection?.sensorBrands),
    tags: selection?.filterByTags,
    onlyActive: false,
    onlyGateways: false,
    onlyWithExternalId: false,
    externalIds: [],
    lastMessage: readTimeRange(selection?.withLastMessageIn, now, 'with_last_message_in'),
    peripherals: properties?.case === 'properties' ? properties.value : undefined,
    onlyWithoutPeripherals: properties?.case === 'includeOnlyEmpty' && properties.value,
    onlyConnected: false,
    onlyUnconnected: false,
    transfers: [],
  };
}

/** True if the criteria select every device. Some requests that change devices reject such a selection. */
export function selectsEverything({ peripherals, ...otherCriteria }: DeviceCriteria): boolean {
  // A peripheral without values also narrows the selection, because it matches any version.
  const peripheralNames = Object.keys({ ...peripherals?.includeAnd, ...peripherals?.exclude });
  if (peripheralNames.length > 0) return false;
  return Object.values(otherCriteria).every((part: unknown): boolean => {
    if (part === undefined || part === '' || part === false) return true;
    if (Array.isArray(part)) return part.length === 0;
    return (
      typeof part === 'object' &&
      part !== null &&
      Object.entries(part).every(([key, value]) => key.startsWith('$') || isUnset(value))
    );
  });
}

/**
 * True if the selection has no criteria. Checks any kind of selection as it was sent.
 * {@link selectsEverything} checks the criteria that were read from a selection of devices.
 */
export function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Date) return false;
  if (typeof value !== 'object') return false;
  return Object.entries(value).every(([key, inner]) => key.startsWith('$') || isUnset(inner));
}
