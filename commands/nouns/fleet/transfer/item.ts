import type { OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Transfer } from '#proto/gen/hiber/transfer_pb.ts';

/** A transfer, with the names of its organizations. See `kit/organization-names.ts`. */
export interface TransferItem {
  readonly transfer: Transfer;
  readonly organizations: OrganizationNames;
}

/** Returns the numbers of its devices, as far as the user may see them. */
export const numbersOf = ({ transfer: { typed } }: TransferItem): readonly string[] =>
  typed.case === 'devices' ? typed.value.numbers : [];

const nameOf = (id: string, { organizations }: TransferItem): string => organizations.get(id) ?? id;

export const transferLabel = (item: TransferItem): string =>
  `${nameOf(item.transfer.senderOrganization, item)} → ${nameOf(item.transfer.recipientOrganization, item)}`;
