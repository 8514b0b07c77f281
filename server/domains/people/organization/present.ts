import { create } from '@bufbuild/protobuf';
import { getTableColumns } from 'drizzle-orm';

import { FileSchema } from '#proto/gen/hiber/file_pb.ts';
import {
  type Organization,
  type Organization_Avatar,
  Organization_AddressSchema,
  Organization_AvatarSchema,
  type Organization_Contact,
  Organization_ContactSchema,
  Organization_DefaultsSchema,
  type Organization_Feature,
  OrganizationSchema,
} from '#proto/gen/hiber/organization_pb.ts';
import { Value_Numeric_Rate_RateUnit } from '#proto/gen/hiber/value_pb.ts';
import { type Address, type Contact, organization } from '#server/db/schema/organization.ts';
import { presentBytes, presentTimestamp } from '#server/wire/present.ts';

export type OrganizationRow = typeof organization.$inferSelect;

const {
  avatarUrl: _url,
  avatarImage: _image,
  avatarMediaType: _type,
  avatarName: _name,
  ...columns
} = getTableColumns(organization);
/** The columns that `presentOrganization` reads. An avatar's image is large. */
export const presentedColumns = columns;

export const presentContact = ({ name, email, phone }: Contact): Organization_Contact =>
  create(Organization_ContactSchema, { name, email, phone });

const presentAddress = ({ lines, zipCode, city, state, country }: Address) =>
  create(Organization_AddressSchema, { lines, zipCode, city, state, country });

/** Presents everything about an organization except its avatar, which GetAvatar returns. */
export function presentOrganization(row: Pick<OrganizationRow, keyof typeof presentedColumns>): Organization {
  const rate = row.expectedTransmissionRate;
  return create(OrganizationSchema, {
    organization: row.id,
    displayName: row.displayName,
    vatNumber: row.vatNumber,
    billingName: row.billingName,
    features: row.features as Organization_Feature[],
    createdAt: presentTimestamp(row.createdAt),
    updatedAt: presentTimestamp(row.updatedAt),
    ...(row.address && { address: presentAddress(row.address) }),
    ...(row.billingAddress && { billingAddress: presentAddress(row.billingAddress) }),
    ...(row.contact && { contact: presentContact(row.contact) }),
    ...(row.contractSignatureDate !== null && {
      contractSignatureDate: presentTimestamp(new Date(`${row.contractSignatureDate}T00:00:00Z`)),
    }),
    ...(rate !== null && {
      defaults: create(Organization_DefaultsSchema, {
        expectedDeviceTransmissionRate: { value: rate, unit: Value_Numeric_Rate_RateUnit.ITEMS_PER_24_HOURS },
      }),
    }),
  });
}

/** Presents an organization with "little more than names" (contract: ListChildOrganizations without details). */
export const presentOrganizationName = ({ id, displayName }: Pick<OrganizationRow, 'id' | 'displayName'>) =>
  create(OrganizationSchema, { organization: id, displayName });

/** Presents an organization's avatar. Returns undefined if it has none. */
export function presentAvatar(row: OrganizationRow): Organization_Avatar | undefined {
  if (row.avatarUrl !== null) {
    return create(Organization_AvatarSchema, { urlOrImage: { case: 'url', value: row.avatarUrl } });
  }
  if (row.avatarImage === null) return undefined;
  const image = create(FileSchema, {
    content: { case: 'data', value: presentBytes(row.avatarImage) },
    mediaType: row.avatarMediaType ?? 'application/octet-stream',
    name: row.avatarName ?? row.id,
  });
  return create(Organization_AvatarSchema, { urlOrImage: { case: 'image', value: image } });
}
