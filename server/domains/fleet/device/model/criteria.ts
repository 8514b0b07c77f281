import type { DeviceSelection } from '#proto/gen/hiber/device_pb.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import { deviceNumber } from './number.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { type Range, readTimeRange } from '#server/wire/timestamps.ts';

export interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/** As MapFilter: per name the values that match it, none meaning any. */
export interface PropertyCriteria {
  readonly includeAnd: Record<string, { value: string[] }>;
  readonly exclude: Record<string, { value: string[] }>;
}

/** The contract's two ways to select devices, ModemSelection and DeviceSelection, as one. Parts combine as AND. */
export interface DeviceCriteria {
  readonly search: string;
  /** Canonical device numbers. */
  readonly numbers: IncludeExclude<string>;
  readonly gateways: IncludeExclude<string>;
  readonly identifiers: IncludeExclude<string>;
  readonly healthLevels: IncludeExclude<string>;
  /** Modem.Lifecycle; an empty include means the normal ones. */
  readonly lifecycles: IncludeExclude<number>;
  /** Modem.Type. */
  readonly types: IncludeExclude<number>;
  readonly deviceTypes: IncludeExclude<string>;
  readonly sensorBrands: IncludeExclude<string>;
  readonly tags: TagSelection | undefined;
  /** Deprecated, besides `lifecycles`: only INSTALLED, which the contract calls active. */
  readonly onlyActive: boolean;
  /** Deprecated, besides `types`. */
  readonly onlyGateways: boolean;
  readonly onlyIdentified: boolean;
  /** Deprecated, besides `identifiers`: any of them. */
  readonly externalIds: string[];
  readonly lastMessage: Range;
  readonly peripherals: PropertyCriteria | undefined;
  readonly onlyWithoutPeripherals: boolean;
  readonly onlyConnected: boolean;
  readonly onlyUnconnected: boolean;
  readonly transfers: string[];
}

const GATEWAY_TYPE = 2;

const lists = <T>(filter: { include: T[]; exclude: T[] } | undefined): IncludeExclude<T> => ({
  include: filter?.include ?? [],
  exclude: filter?.exclude ?? [],
});

const numberLists = (filter: { include: string[]; exclude: string[] } | undefined): IncludeExclude<string> => ({
  include: (filter?.include ?? []).map(deviceNumber),
  exclude: (filter?.exclude ?? []).map(deviceNumber),
});

/** @throws ConnectError INVALID_ARGUMENT for what cannot be read, or narrows by what this server does not know */
export function modemCriteria(selection: ModemSelection | undefined, now: Date): DeviceCriteria {
  const { peripheralSelection, activatedIn } = selection ?? {};
  // To ignore it would select more devices than the caller means to change.
  if (activatedIn?.start || activatedIn?.end) {
    throw invalidArgument(
      'The selection has activated_in, but this server does not record when a device was activated: leave it out.',
    );
  }
  return {
    search: selection?.freeTextSearch?.trim() ?? '',
    numbers: numberLists(selection?.modems),
    gateways: numberLists(selection?.connectedToGateways),
    identifiers: lists(selection?.identifiers),
    healthLevels: { include: selection?.healthLevels ?? [], exclude: [] },
    lifecycles: { include: selection?.lifecycles ?? [], exclude: [] },
    types: { include: selection?.includeTypes ?? [], exclude: selection?.excludeTypes ?? [] },
    deviceTypes: lists(selection?.deviceTypes),
    sensorBrands: lists(selection?.sensorBrands),
    tags: selection?.filterByTags,
    onlyActive: selection?.onlyActive ?? false,
    onlyGateways: selection?.onlyGateways ?? false,
    onlyIdentified: selection?.onlyHasExternalDeviceIds ?? false,
    externalIds: selection?.externalDeviceIds ?? [],
    lastMessage: readTimeRange(selection?.withLastMessageIn, now, 'with_last_message_in'),
    peripherals: peripheralSelection?.case === 'peripherals' ? peripheralSelection.value : undefined,
    onlyWithoutPeripherals: peripheralSelection?.case === 'onlyWithoutPeripheral' && peripheralSelection.value,
    onlyConnected: selection?.onlyConnectedToGateway ?? false,
    onlyUnconnected: selection?.notConnectedToGateway ?? false,
    transfers: selection?.transfers?.transfersIdentifiers ?? [],
  };
}

export function deviceCriteria(selection: DeviceSelection | undefined, now: Date): DeviceCriteria {
  const properties = selection?.peripherals?.selection;
  return {
    search: selection?.freeTextSearch?.trim() ?? '',
    numbers: numberLists(selection?.modems),
    gateways: numberLists(selection?.withGateways),
    identifiers: lists(selection?.identifiers),
    healthLevels: lists(selection?.healthLevel),
    lifecycles: lists(selection?.lifecycles),
    types: { include: [], exclude: selection?.excludeGateways ? [GATEWAY_TYPE] : [] },
    deviceTypes: lists(selection?.deviceTypes),
    sensorBrands: lists(selection?.sensorBrands),
    tags: selection?.filterByTags,
    onlyActive: false,
    onlyGateways: false,
    onlyIdentified: false,
    externalIds: [],
    lastMessage: readTimeRange(selection?.withLastMessageIn, now, 'with_last_message_in'),
    peripherals: properties?.case === 'properties' ? properties.value : undefined,
    onlyWithoutPeripherals: properties?.case === 'includeOnlyEmpty' && properties.value,
    onlyConnected: false,
    onlyUnconnected: false,
    transfers: [],
  };
}

/** Whether the criteria narrow anything: a request that changes devices may demand that they do. */
export function isEmpty({ peripherals, ...others }: DeviceCriteria): boolean {
  // A peripheral without values narrows as well: they stand for any version of it.
  const named = Object.keys({ ...peripherals?.includeAnd, ...peripherals?.exclude });
  if (named.length > 0) return false;
  return Object.values(others).every((part: unknown): boolean => {
    if (part === undefined || part === '' || part === false) return true;
    if (Array.isArray(part)) return part.length === 0;
    return (
      typeof part === 'object' &&
      part !== null &&
      Object.entries(part).every(([key, value]) => key.startsWith('$') || isNothing(value))
    );
  });
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Date) return false;
  if (typeof value !== 'object') return false;
  return Object.entries(value).every(([key, inner]) => key.startsWith('$') || isNothing(inner));
}
