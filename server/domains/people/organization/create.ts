import { Code, ConnectError } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { type CreateOrganizationRequest, Organization_Feature } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization } from '#server/db/schema/organization.ts';
import { defaultHealthLevels } from './default-health-levels.ts';
import { organizationCreated } from './events.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';
import { alreadyExists, invalidArgument, notFound } from '#server/wire/errors.ts';
import { join } from '#server/domains/people/user/model/join.ts';
import { readAvatar } from './avatar.ts';
import { readAddress, readContact, readDetail, readName, readSlug } from './check.ts';
import { useCreationToken } from './creation-tokens.ts';
import { type OrganizationRow, presentOrganization } from './present.ts';

/**
 * What an organization without a parent starts with. No rpc changes features, and without the first nobody could ever
 * register a device in it.
 */
const firstFeatures: readonly Organization_Feature[] = [
  Organization_Feature.MODEM_CREATION,
  Organization_Feature.PROCESS_POINTS,
  Organization_Feature.LOCATIONS,
];

/**
 * Makes an organization below a parent, or with a creation token one that stands alone. A parent that is named counts
 * also beside a token, which is then used up all the same; without either, it is the caller's own organization (neither
 * is stated).
 *
 * @param caller the parent's scope, or that of the caller's own organization when the request names none; undefined for
 *   a member of nothing
 * @throws ConnectError INVALID_ARGUMENT, ALREADY_EXISTS, PERMISSION_DENIED
 */
export async function createOrganization(
  app: App,
  session: Session,
  caller: Scope | undefined,
  request: CreateOrganizationRequest,
): Promise<OrganizationRow> {
  const values = valuesIn(request);
  const secret = request.organizationCreationToken?.trim() ?? '';
  const below = request.parentOrganization.trim() !== '' || secret === '' ? parentIn(caller) : undefined;
  if (secret !== '' && !session.userPermissions.has('UPDATE')) {
    throw new ConnectError(
      'A creation token is used with the permission UPDATE, which you lack.',
      Code.PermissionDenied,
    );
  }
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const parent = below === undefined ? undefined : await lockParent(tx, below.organization);
    const [created] = await tx
      .insert(organization)
      .values({
        ...values,
        parent: parent?.id ?? null,
        path: [...(parent?.path ?? []), values.id],
        features: parent?.features ?? [...firstFeatures],
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning();
    if (created === undefined) {
      throw alreadyExists(`There is an organization "${values.id}" already: choose another ID.`);
    }
    const token = secret === '' ? undefined : await useCreationToken(tx, secret, created.id, now);
    // In the words of spec 5.
    if (secret !== '' && token === undefined) throw invalidArgument('The token value is not valid.');
    await tx.insert(healthLevel).values(defaultHealthLevels.map((level) => ({ organization: created.id, ...level })));
    if (belongsTo(session, parent)) await join(tx, created.id, session.user, token?.roles ?? ['administrator'], now);
    if (parent !== undefined) {
      await recordEvents(tx, [organizationCreated(parent.id, presentOrganization(created), now)]);
    }
    return created;
  });
}

function valuesIn(request: CreateOrganizationRequest) {
  const id = readSlug(request.newOrganization);
  return {
    id,
    displayName: readName(request.displayName ?? '', 'The display name') || id,
    isBusiness: request.isBusiness ?? true,
    vatNumber: readDetail(request.vatNumber ?? '', 'The VAT number'),
    address: request.address ? readAddress(request.address, 'The address') : null,
    billingName: readName(request.billingName ?? '', 'The billing name'),
    billingAddress: request.billingAddress ? readAddress(request.billingAddress, 'The billing address') : null,
    contact: readContact(request.contact),
    ...(request.avatar && readAvatar(request.avatar)),
  };
}

/** @throws ConnectError PERMISSION_DENIED */
function parentIn(caller: Scope | undefined): Scope {
  if (caller === undefined) {
    throw new ConnectError(
      'You are not a member of any organization: to create one you need a token that support issues.',
      Code.PermissionDenied,
    );
  }
  caller.require('ORGANIZATION_CREATE');
  return caller;
}

/**
 * Whoever makes an organization is a member of it, unless they are none of those above: support staff act for customers
 * without becoming members, and the owner of a token that outlived their membership does not come back by it.
 */
const belongsTo = ({ memberships }: Session, parent: Pick<OrganizationRow, 'path'> | undefined): boolean =>
  parent === undefined || memberships.some(({ organization: home }) => parent.path.includes(home));

/** Kept from being deleted until the child stands. */
async function lockParent(tx: Tx, id: string) {
  const [parent] = await tx
    .select({ id: organization.id, path: organization.path, features: organization.features })
    .from(organization)
    .where(eq(organization.id, id))
    .for('share');
  if (parent === undefined) throw notFound(`There is no organization "${id}" any more.`);
  return parent;
}
