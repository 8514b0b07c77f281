import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { UpdateOrganizationRequest } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import { organization } from '#server/db/schema/organization.ts';
import { type OrganizationChanges, organizationUpdated } from './events.ts';
import { recordEvents } from '#server/events/record.ts';
import { notFound } from '#server/wire/errors.ts';
import { readAvatar } from './avatar.ts';
import { readAddress, readContact, readDetail, readName } from './check.ts';
import { type OrganizationRow, presentOrganization } from './present.ts';

type Values = Partial<
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
 * Changes what the request gives: an empty text changes nothing, and an address, a contact or an avatar is replaced
 * whole (contract: OrganizationService.Update). What is the same as before is no change and makes no event.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export async function updateOrganization(
  app: App,
  id: string,
  request: UpdateOrganizationRequest,
): Promise<OrganizationRow> {
  const given = valuesIn(request);
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const [before] = await tx.select().from(organization).where(eq(organization.id, id)).for('update');
    if (before === undefined) throw notFound(`There is no organization "${id}" any more.`);
    const changed = (Object.keys(given) as (keyof Values)[]).filter(
      (key) => !isDeepStrictEqual(given[key], before[key]),
    );
    if (changed.length === 0) return before;
    const set = Object.fromEntries(changed.map((key) => [key, given[key]]));
    const [after] = await tx
      .update(organization)
      .set({ ...set, updatedAt: now })
      .where(eq(organization.id, id))
      .returning();
    if (after === undefined) throw new Error(`The organization ${id} was updated and not returned.`);
    const words = [...new Set(changed.map((key) => wordsFor[key]))];
    await recordEvents(tx, [organizationUpdated(id, changesOf(after, changed), words, now)]);
    return after;
  });
}

function valuesIn(request: UpdateOrganizationRequest): Values {
  const displayName = readName(request.displayName, 'The display name');
  const vatNumber = readDetail(request.vatNumber, 'The VAT number');
  const billingName = readName(request.billingName, 'The billing name');
  return {
    ...(displayName !== '' && { displayName }),
    ...(vatNumber !== '' && { vatNumber }),
    ...(billingName !== '' && { billingName }),
    ...(request.address && { address: readAddress(request.address, 'The address') }),
    ...(request.billingAddress && { billingAddress: readAddress(request.billingAddress, 'The billing address') }),
    ...(request.contact && { contact: readContact(request.contact) }),
    ...(request.avatar && readAvatar(request.avatar)),
  };
}

const wordsFor: Readonly<Record<keyof Values, string>> = {
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

/** Only what changed is present in the event; the contract has no member for the avatar. */
function changesOf(row: OrganizationRow, changed: readonly (keyof Values)[]): OrganizationChanges {
  const after = presentOrganization(row);
  const has = (key: keyof Values): boolean => changed.includes(key);
  return {
    ...(has('displayName') && { displayNameUpdated: after.displayName }),
    ...(has('vatNumber') && { vatNumberUpdated: after.vatNumber }),
    ...(has('billingName') && { billingNameUpdated: after.billingName }),
    ...(has('address') && { addressUpdated: after.address ?? {} }),
    ...(has('billingAddress') && { billingAddressUpdated: after.billingAddress ?? {} }),
    ...(has('contact') && after.contact && { contactUpdated: after.contact }),
  };
}
