import { isDeepStrictEqual } from 'node:util';

import { eq } from 'drizzle-orm';

import type { UpdateOrganizationRequest } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import { organization } from '#server/db/schema/organization.ts';
import { recordEvents } from '#server/events/record.ts';
import { notFound } from '#server/wire/errors.ts';

import { readAvatar } from './avatar.ts';
import { readAddress, readContact, readDetail, readName } from './check.ts';
import { type OrganizationChanges, organizationUpdated } from './events.ts';
import { type OrganizationRow, presentOrganization } from './present.ts';

type ColumnValues = Partial<
  Pick<
    OrganizationRow,
    | 'displayName'
    | 'vatNumber'
    | 'billingName'
    | 'address'
    | 'billingAddress'
    | 'contact'
    | 'avatarUrl'
    | 'avatarImage'
    | 'avatarMediaType'
    | 'avatarName'
  >
>;

/**
 * Updates the fields that the request contains. An empty string leaves a field unchanged. Addresses, contacts, and
 * avatars are replaced as a whole (contract: OrganizationService.Update). If no value differs from the current one,
 * this writes nothing and records no event.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export async function updateOrganization(
  app: App,
  id: string,
  request: UpdateOrganizationRequest,
): Promise<OrganizationRow> {
  const values = readValues(request);
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const [currentRow] = await tx.select().from(organization).where(eq(organization.id, id)).for('update');
    if (currentRow === undefined) throw notFound(`The organization "${id}" no longer exists.`);
    const changedKeys = (Object.keys(values) as (keyof ColumnValues)[]).filter(
      (key) => !isDeepStrictEqual(values[key], currentRow[key]),
    );
    if (changedKeys.length === 0) return currentRow;
    const changedValues = Object.fromEntries(changedKeys.map((key) => [key, values[key]]));
    const [updatedRow] = await tx
      .update(organization)
      .set({ ...changedValues, updatedAt: now })
      .where(eq(organization.id, id))
      .returning();
    if (updatedRow === undefined) throw new Error(`The organization ${id} was updated but not returned.`);
    const changedPhrases = [...new Set(changedKeys.map((key) => phrases[key]))];
    await recordEvents(tx, [organizationUpdated(id, presentChanges(updatedRow, changedKeys), changedPhrases, now)]);
    return updatedRow;
  });
}

function readValues(request: UpdateOrganizationRequest): ColumnValues {
  const displayName = readName(request.displayName, 'The display name');
  const vatNumber = readDetail(request.vatNumber, 'The VAT number');
  const billingName = readName(request.billingName, 'The billing name');
  return {
    ...(displayName !== '' && { displayName }),
    ...(vatNumber !== '' && { vatNumber }),
    ...(billingName !== '' && { billingName }),
    ...(request.address && { address: readAddress(request.address, 'address') }),
    ...(request.billingAddress && { billingAddress: readAddress(request.billingAddress, 'billing address') }),
    ...(request.contact && { contact: readContact(request.contact) }),
    ...(request.avatar && readAvatar(request.avatar)),
  };
}

const phrases: Readonly<Record<keyof ColumnValues, string>> = {
  displayName: 'display name',
  vatNumber: 'VAT number',
  billingName: 'billing name',
  address: 'address',
  billingAddress: 'billing address',
  contact: 'contact',
  avatarUrl: 'avatar',
  avatarImage: 'avatar',
  avatarMediaType: 'avatar',
  avatarName: 'avatar',
};

/** Presents the changed fields for the event. The contract has no field for the avatar. */
function presentChanges(row: OrganizationRow, changedKeys: readonly (keyof ColumnValues)[]): OrganizationChanges {
  const updatedOrganization = presentOrganization(row);
  const has = (key: keyof ColumnValues): boolean => changedKeys.includes(key);
  return {
    ...(has('displayName') && { displayNameUpdated: updatedOrganization.displayName }),
    ...(has('vatNumber') && { vatNumberUpdated: updatedOrganization.vatNumber }),
    ...(has('billingName') && { billingNameUpdated: updatedOrganization.billingName }),
    ...(has('address') && { addressUpdated: updatedOrganization.address ?? {} }),
    ...(has('billingAddress') && { billingAddressUpdated: updatedOrganization.billingAddress ?? {} }),
    ...(has('contact') && updatedOrganization.contact && { contactUpdated: updatedOrganization.contact }),
  };
}
