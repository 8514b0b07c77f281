import type { LocationSelection } from '#proto/gen/hiber/base_pb.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { Modem, ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import type { Level } from '#commands/model/column.ts';
import type { OrganizationNames } from '#commands/kit/organization-names.ts';

/**
 * A device as lists and commands have it: the contract's modem (the historic name, and the message that has the moment
 * of the last message, the battery and the topology), with where its health stands on the organization's scale.
 */
export interface Device {
  readonly modem: Modem;
  readonly level: Level;
  /** What the organization that it belongs to is called; see `core/organization-names.ts`. */
  readonly organizations?: OrganizationNames;
}

/**
 * What a list of devices is narrowed to, and widened by: the contract has places and organizations beside its
 * selection.
 */
export interface DeviceSelection {
  readonly modems: ModemSelection;
  readonly below?: Filter_ChildOrganizations;
  places?: LocationSelection;
}

const NUMBER = /^([0-9a-f]{4}) ?([0-9a-f]{4})$/i;

export function isNumber(text: string): boolean {
  return NUMBER.test(text.trim());
}

/** `5529 0491`, as the contract shows it; other text stays as it is. */
export function toNumber(text: string): string {
  return text.trim().replace(NUMBER, '$1 $2').toUpperCase();
}

/** Where a device belongs, which may be below the organization on the screen: every call about it names that one. */
export function organizationIdOf({ modem }: Device): string {
  return modem.organization;
}
