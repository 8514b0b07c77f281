import type { LatestNumbers } from '#commands/kit/latest-values.ts';
import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Level } from '#commands/model/column.ts';
import type { LocationSelection } from '#proto/gen/hiber/base_pb.ts';
import type { DeviceType } from '#proto/gen/hiber/device_type_pb.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { Modem, ModemSelection } from '#proto/gen/hiber/modem_pb.ts';

/**
 * A device in lists and commands, with its level on the organization's health scale. Modem is the contract's older name
 * for a device, and the only type that has the time of the last message, the battery, and the topology.
 */
export interface Device {
  readonly modem: Modem;
  readonly level: Level;
  /** Names of organizations, including the device's organization. See `kit/organization-names.ts`. */
  readonly organizations?: OrganizationNames;
  /** Loaded only for the columns that show it. */
  readonly latest?: LatestNumbers | undefined;
  /** What the catalogue says about its device type. Loaded only for the panel and the columns that show it. */
  readonly typeInfo?: TypeInfo | undefined;
}

/** What the catalogue of device types says about a type, apart from its brand. */
export type TypeInfo = Pick<DeviceType, 'application' | 'category' | 'version'>;

/** Selects devices. The contract has separate fields for the modem selection, locations, and organizations. */
export interface DeviceSelection {
  readonly modems: ModemSelection;
  readonly below?: Filter_ChildOrganizations;
  locations?: LocationSelection;
}

/** A device number in the contract's format, or as it is written on labels, in spreadsheets, and in other systems. */
const NUMBER = /^([0-9a-f]{4})(?:-|\s*)([0-9a-f]{4})$/i;
/** The start of a device number: its first half, a separator, and any digits of the second half. */
const NUMBER_START = /^([0-9a-f]{4})(?:-|\s+)([0-9a-f]{0,4})$/i;

export function isNumber(text: string): boolean {
  return NUMBER.test(text.trim());
}

/** Returns a device number in the contract's format: `5529 0491`. Other text is only trimmed and uppercased. */
export function toNumber(text: string): string {
  return text.trim().replace(NUMBER, '$1 $2').toUpperCase();
}

/** Returns the text to search for. A number or the start of a number is converted to the contract's format. */
export function toSearch(text: string): string {
  return isNumber(text) ? toNumber(text) : text.trim().replace(NUMBER_START, '$1 $2').trim();
}

/**
 * Returns the organization of a device: the current one or a sub-organization. Calls about the device must
 * name this organization.
 */
export function organizationIdOf({ modem }: Device): string {
  return modem.organization;
}

/** Returns a device's brand, also if it is a gateway. Empty if it is not known. */
export function brandOf(modem: Modem): string {
  return modem.connectedDeviceInfo?.sensorBrand || modem.gatewayInfo?.gatewayBrand || '';
}
