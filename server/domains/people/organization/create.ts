import { Code, ConnectError } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';

import { type CreateOrganizationRequest, Organization_Feature } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization } from '#server/db/schema/organization.ts';
import { join } from '#server/domains/people/user/model/join.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';
import { alreadyExists, invalidArgument, notFound } from '#server/wire/errors.ts';

import { readAvatar } from './avatar.ts';
import { readAddress, readContact, readDetail, readName, readSlug } from './check.ts';
import { redeemCreationToken } from './creation-tokens.ts';
import { defaultHealthLevels } from './default-health-levels.ts';
import { organizationCreated } from './events.ts';
import { type OrganizationRow, presentOrganization } from './present.ts';

/**
 * The initial features of an organization without a parent. They include MODEM_CREATION because no rpc changes
 * features, so nobody could ever create a device otherwise.
 */
const initialFeatures: readonly Organization_Feature[] = [
  Organization_Feature.MODEM_CREATION,
  Organization_Feature.PROCESS_POINTS,
  Organization_Feature.LOCATIONS,
];

/**
 * Creates an organization under a parent or, with a creation token, without a parent. A request with both a parent and
 * a token uses up the token. With neither, the organization is created under the caller's own organization. The
 * contract specifies neither rule.
 *
 * @param caller the scope of the parent, or of the caller's own organization if the request names no parent; undefined
 *   for a person without memberships
 * @throws ConnectError INVALID_ARGUMENT, ALREADY_EXISTS, PERMISSION_DENIED
 */
export async function createOrganization(
  app: App,
  session: Session,
  caller: Scope | undefined,
  request: CreateOrganizationRequest,
): Promise<OrganizationRow> {
  const insert = prepareOrganization(session, caller, request);
  const now = app.now();
  return app.db.transaction((tx) => insert(tx, now));
}

/**
 * Checks a request like {@link createOrganization}, and returns a function that creates the organization in a
 * transaction of the caller's.
 */
export function prepareOrganization(
  session: Session,
  caller: Scope | undefined,
  request: CreateOrganizationRequest,
): (tx: Tx, now: Date) => Promise<OrganizationRow> {
  const values = readValues(request);
  const secret = request.organizationCreationToken?.trim() ?? '';
  const parentScope = request.parentOrganization.trim() !== '' || secret === '' ? requireParent(caller) : undefined;
  if (secret !== '' && !session.userPermissions.has('UPDATE')) {
    throw new ConnectError('You need the UPDATE permission to use a creation token.', Code.PermissionDenied);
  }
  return (tx, now) => insertOrganization(tx, session, { values, secret, parentScope }, now);
}

interface NewOrganization {
  readonly values: ReturnType<typeof readValues>;
  /** The secret of the creation token; empty if there is none. */
  readonly secret: string;
  readonly parentScope: Scope | undefined;
}

async function insertOrganization(
  tx: Tx,
  session: Session,
  { values, secret, parentScope }: NewOrganization,
  now: Date,
): Promise<OrganizationRow> {
  const parent = parentScope === undefined ? undefined : await lockParent(tx, parentScope.organization);
  const [createdRow] = await tx
    .insert(organization)
    .values({
      ...values,
      parent: parent?.id ?? null,
      path: [...(parent?.path ?? []), values.id],
      features: parent?.features ?? [...initialFeatures],
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (createdRow === undefined) {
    throw alreadyExists(`An organization "${values.id}" already exists. Choose another ID.`);
  }
  const token = secret === '' ? undefined : await redeemCreationToken(tx, secret, createdRow.id, now);
  // Spec 5 requires this wording.
  if (secret !== '' && token === undefined) throw invalidArgument('The token value is not valid.');
  await tx.insert(healthLevel).values(defaultHealthLevels.map((level) => ({ organization: createdRow.id, ...level })));
  if (becomesMember(session, parent))
    await join(tx, createdRow.id, session.user, token?.roles ?? ['administrator'], now);
  if (parent !== undefined) {
    await recordEvents(tx, [organizationCreated(parent.id, presentOrganization(createdRow), now)]);
  }
  return createdRow;
}

function readValues(request: CreateOrganizationRequest) {
  const id = readSlug(request.newOrganization);
  return {
    id,
    displayName: readName(request.displayName ?? '', 'The display name') || id,
    isBusiness: request.isBusiness ?? true,
    vatNumber: readDetail(request.vatNumber ?? '', 'The VAT number'),
    address: request.address ? readAddress(request.address, 'address') : null,
    billingName: readName(request.billingName ?? '', 'The billing name'),
    billingAddress: request.billingAddress ? readAddress(request.billingAddress, 'billing address') : null,
    contact: readContact(request.contact),
    ...(request.avatar && readAvatar(request.avatar)),
  };
}

/**
 * Requires a caller who may create sub-organizations of their own organization.
 *
 * @throws ConnectError PERMISSION_DENIED
 */
function requireParent(caller: Scope | undefined): Scope {
  if (caller === undefined) {
    throw new ConnectError(
      "You're not a member of any organization. To create one, ask support for a creation token.",
      Code.PermissionDenied,
    );
  }
  caller.require('ORGANIZATION_CREATE');
  return caller;
}

/**
 * True if the creator becomes a member. If there is a parent, they must be a member of an ancestor. Support staff act
 * for customers without becoming members, and former members can't use a leftover token to regain access.
 */
const becomesMember = ({ memberships }: Session, parent: Pick<OrganizationRow, 'path'> | undefined): boolean =>
  parent === undefined || memberships.some((membership) => parent.path.includes(membership.organization));

/** Locks the parent against deletion until the child exists. */
async function lockParent(tx: Tx, id: string) {
  const [parent] = await tx
    .select({ id: organization.id, path: organization.path, features: organization.features })
    .from(organization)
    .where(eq(organization.id, id))
    .for('share');
  if (parent === undefined) throw notFound(`The organization "${id}" no longer exists.`);
  return parent;
}
