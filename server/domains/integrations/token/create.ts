import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';

import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { type CreateTokenRequest, Token_Type } from '#proto/gen/hiber/token_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { reserveId } from '#server/db/ids.ts';
import { type ChildOrganizationsFilter, token } from '#server/db/schema/token.ts';
import { recordEvents } from '#server/events/record.ts';
import { hashApiToken, newApiToken } from '#server/session/api-token.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import { tokenCreated } from './events.ts';
import {
  callerAsHolder,
  type Grants,
  organizationGrants,
  type Holder,
  requireHeldBy,
  findRoles,
  userGrants,
  difference,
} from './grants.ts';
import { activeAt } from './list.ts';
import { loadOwner } from './owner.ts';
import { limitExpiry, lockParentToken } from './parent.ts';
import { presentToken, type TokenRow } from './present.ts';

const MAX_NAME_LENGTH = MAX_LENGTH.tokenName;

export interface CreatedToken {
  /** Shown to the caller only once. */
  readonly secret: string;
  readonly row: TokenRow;
}

/**
 * Creates a token.
 *
 * @throws ConnectError INVALID_ARGUMENT (name, expiry, an argument that the type does not accept), ALREADY_EXISTS
 *   (name), NOT_FOUND (the other user), PERMISSION_DENIED (granting something that the caller or owner doesn't have);
 *   and the errors of `lockParentToken`
 */
export async function createToken(app: App, caller: Scope, request: CreateTokenRequest): Promise<CreatedToken> {
  const name = readEnteredText(request.name, 'A token name', MAX_NAME_LENGTH);
  if (name === '') throw invalidRequest('Give the token a name.');
  const now = app.now();
  // The contract doesn't state whether an expiry is required. A token without one lasts until it is deleted.
  const requestedExpiry = readTimestamp(request.expiresAt, now) ?? null;
  if (requestedExpiry !== null && requestedExpiry <= now) throw invalidRequest('A token must expire in the future.');
  const grants = readGrants(request, caller);
  const owner = await findOwner(app.db.orm, caller, request);
  if (owner.holder !== undefined) requireHeldBy(owner.holder, grants);
  requireHeldBy(callerAsHolder(caller), grants);
  const limitImpersonation = readLimit(caller, request.limitImpersonation);

  const secret = newApiToken(request.minimize === true);
  const row = await app.db.transaction(async (tx) => {
    const parent = await lockParentToken(tx, caller);
    const expiresAt = limitExpiry(parent, requestedExpiry);
    // This comes before the name check because nextId locks the organization's counter, so concurrent calls cannot
    // create tokens with the same name.
    const id = await reserveId(tx, caller.organization, 'token');
    await requireFreeName(tx, caller.organization, name, now);
    const [createdRow] = await tx
      .insert(token)
      .values({
        organization: caller.organization,
        id,
        name,
        userId: owner.id,
        hash: hashApiToken(secret),
        type: request.type,
        organizationPermissions: grants.organization.map((item) => OrganizationPermission[item]),
        userPermissions: grants.user.map((item) => UserPermission[item]),
        roles: grants.roles.map((role) => role.identifier),
        limitImpersonation,
        minimized: request.minimize === true,
        createdAt: now,
        expiresAt,
        parentOrganization: parent?.organization,
        parent: parent?.id,
      })
      .returning();
    if (createdRow === undefined) throw new Error("The insert didn't return the new token.");
    await recordEvents(tx, [tokenCreated(caller.organization, presentToken(createdRow), now)]);
    return createdRow;
  });
  return { secret, row };
}

const invalidRequest = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

function readGrants(request: CreateTokenRequest, caller: Scope): Grants {
  const grants: Grants = {
    organization: organizationGrants(request.organizationPermissions, caller),
    user: userGrants(request.userPermissions, caller),
    roles: findRoles(difference(request.roles?.include ?? [], request.roles?.exclude ?? [])),
  };
  if (request.type !== Token_Type.PERSONAL) return grants;
  if (grants.organization.length + grants.user.length + grants.roles.length > 0) {
    throw invalidRequest(
      'A PERSONAL token has the permissions and roles of its owner, so leave out permissions and roles.',
    );
  }
  // A PERSONAL token can do whatever its owner can, so a more limited token could use it to gain permissions.
  if (caller.session.token?.type === Token_Type.SPECIFIC) {
    throw new ConnectError("A SPECIFIC token can't create a PERSONAL token.", Code.PermissionDenied);
  }
  return grants;
}

/** Returns the owner's id and, for someone else's token, the owner as a `Holder`. */
async function findOwner(
  orm: Executor,
  caller: Scope,
  request: CreateTokenRequest,
): Promise<{ id: string; holder?: Holder }> {
  const id = request.forUserId || caller.session.user.id;
  if (id === caller.session.user.id) {
    rejectLastingSupportToken(caller, request);
    return { id };
  }
  caller.require('USERS_MANAGE');
  if (request.type === Token_Type.PERSONAL) throw invalidRequest('Only its owner can create a PERSONAL token.');
  if (userGrants(request.userPermissions, caller).length > 0) {
    throw invalidRequest("You can't grant user permissions to someone else's token. Only the owner can.");
  }
  const holder = await loadOwner(orm, caller.organization, id);
  if (holder === undefined) {
    throw new ConnectError(`"${id}" isn't a member of "${caller.organization}".`, Code.NotFound);
  }
  return { id, holder };
}

/**
 * Prevents support staff from creating their own SPECIFIC tokens in a customer's organization. Such a token would
 * outlast the support session because its permissions don't depend on its owner. A PERSONAL token acts as its owner, so
 * it remains subject to support sessions.
 */
function rejectLastingSupportToken(caller: Scope, { type }: CreateTokenRequest): void {
  if (!caller.isSupportAccess || type === Token_Type.PERSONAL) return;
  throw new ConnectError(
    `You act for "${caller.organization}" as support staff. Create the token for one of its members.`,
    Code.PermissionDenied,
  );
}

/**
 * Requires a name that no unexpired token has, because lists identify tokens by name (not specified in the contract).
 */
async function requireFreeName(tx: Tx, organization: string, name: string, now: Date): Promise<void> {
  const [existing] = await tx
    .select({ id: token.id })
    .from(token)
    .where(and(eq(token.organization, organization), eq(token.name, name), activeAt(now)));
  if (existing !== undefined) {
    throw new ConnectError(`A token named "${name}" already exists. Choose another name.`, Code.AlreadyExists);
  }
}

/**
 * Reads the limit of a new token. A token created with a limited token must be at least as limited. By default, it
 * inherits the limit.
 *
 * @throws ConnectError PERMISSION_DENIED for a wider limit
 */
function readLimit(
  caller: Scope,
  requestedLimit: Filter_ChildOrganizations | undefined,
): ChildOrganizationsFilter | null {
  const parentLimit = caller.session.token?.limitImpersonation ?? null;
  if (requestedLimit === undefined) return parentLimit;
  const { includeAll, include, exclude } = requestedLimit;
  if (parentLimit === null) return { includeAll, include, exclude };
  const reaches = (id: string) =>
    (parentLimit.includeAll || parentLimit.include.includes(id)) && !parentLimit.exclude.includes(id);
  const exceedsParent = includeAll ? !parentLimit.includeAll : include.some((id) => !reaches(id));
  if (exceedsParent) {
    throw new ConnectError(
      "A token can't reach organizations that the token used to create it can't reach.",
      Code.PermissionDenied,
    );
  }
  return { includeAll, include, exclude: [...new Set([...exclude, ...parentLimit.exclude])] };
}
