import { LONGEST } from '#commands/text/lengths.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { type CreateTokenRequest, Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { nextId } from '#server/db/ids.ts';
import { type ChildOrganizationsFilter, token } from '#server/db/schema/token.ts';
import { tokenCreated } from './events.ts';
import { recordEvents } from '#server/events/record.ts';
import { hashOfApiToken, newApiToken } from '#server/session/api-token.ts';
import type { Scope } from '#server/session/scope.ts';
import { storedText } from '#server/wire/entered-text.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';
import {
  callerAsParty,
  type Grants,
  organizationGrants,
  type Party,
  requireHeldBy,
  rolesNamed,
  userGrants,
  without,
} from './grants.ts';
import { ownerAsParty } from './owner.ts';
import { activeAt } from './list.ts';
import { expiryWithin, lockedParent } from './parent.ts';
import { presentToken, type TokenRow } from './present.ts';

const longestName = LONGEST.tokenName;

export interface CreatedToken {
  /** Shown to the caller now, and never again. */
  readonly secret: string;
  readonly row: TokenRow;
}

/**
 * @throws ConnectError INVALID_ARGUMENT (name, expiry, what a type does not take), ALREADY_EXISTS (name), NOT_FOUND
 *   (the
 *   other user), PERMISSION_DENIED (granting what somebody lacks); and as `lockedParent`
 */
export async function createToken(app: App, caller: Scope, request: CreateTokenRequest): Promise<CreatedToken> {
  const name = storedText(request.name, 'The name of a token', longestName);
  if (name === '') throw invalid('Give the token a name.');
  const now = app.now();
  // Whether an expiry is mandatory is not stated: without one a token lasts until it is deleted.
  const asked = readTimestamp(request.expiresAt, now) ?? null;
  if (asked !== null && asked <= now) throw invalid('A token must expire in the future.');
  const grants = grantsOf(request, caller);
  const owner = await ownerOf(app.db.orm, caller, request);
  if (owner.party !== undefined) requireHeldBy(owner.party, grants);
  requireHeldBy(callerAsParty(caller), grants);
  const limitImpersonation = limitOf(caller, request.limitImpersonation);

  const secret = newApiToken(request.minimize === true);
  const row = await app.db.transaction(async (tx) => {
    const parent = await lockedParent(tx, caller);
    const expiresAt = expiryWithin(parent, asked);
    // Taking an id first locks the organization's counter, so that two tokens of one name cannot be made at once.
    const id = await nextId(tx, caller.organization, 'token');
    await requireFreeName(tx, caller.organization, name, now);
    const [created] = await tx
      .insert(token)
      .values({
        organization: caller.organization,
        id,
        name,
        userId: owner.id,
        hash: hashOfApiToken(secret),
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
    if (created === undefined) throw new Error('A token was inserted and not returned.');
    await recordEvents(tx, [tokenCreated(caller.organization, presentToken(created), now)]);
    return created;
  });
  return { secret, row };
}

const invalid = (sentence: string): ConnectError => new ConnectError(sentence, Code.InvalidArgument);

function grantsOf(request: CreateTokenRequest, caller: Scope): Grants {
  const grants: Grants = {
    organization: organizationGrants(request.organizationPermissions, caller),
    user: userGrants(request.userPermissions, caller),
    roles: rolesNamed(without(request.roles?.include ?? [], request.roles?.exclude ?? [])),
  };
  if (request.type !== Token_Type.PERSONAL) return grants;
  if (grants.organization.length + grants.user.length + grants.roles.length > 0) {
    throw invalid('A PERSONAL token follows its owner: give it no permissions and no roles of its own.');
  }
  // It will hold what its owner holds; made with a token that holds less, it would be a way around that.
  if (caller.session.token?.type === Token_Type.SPECIFIC) {
    throw new ConnectError('A SPECIFIC token cannot create a PERSONAL one.', Code.PermissionDenied);
  }
  return grants;
}

/** The owner's id, and for somebody else's token the owner as a party that must hold what is granted. */
async function ownerOf(
  orm: Executor,
  caller: Scope,
  request: CreateTokenRequest,
): Promise<{ id: string; party?: Party }> {
  const id = request.forUserId || caller.session.user.id;
  if (id === caller.session.user.id) {
    requireOwnUseRecorded(caller, request);
    return { id };
  }
  caller.require('USERS_MANAGE');
  if (request.type === Token_Type.PERSONAL) throw invalid('A PERSONAL token can be created by its owner only.');
  if (userGrants(request.userPermissions, caller).length > 0) {
    throw invalid("A token for somebody else cannot have user permissions: those are the owner's to give.");
  }
  const party = await ownerAsParty(orm, caller.organization, id);
  if (party === undefined) {
    throw new ConnectError(`There is no member "${id}" in "${caller.organization}".`, Code.NotFound);
  }
  return { id, party };
}

/**
 * Support staff act for customers within visits, which a SPECIFIC token of their own there would leave behind: it holds
 * what it lists, whoever its owner is by then. A PERSONAL one follows them, and so do visits.
 */
function requireOwnUseRecorded(caller: Scope, { type }: CreateTokenRequest): void {
  if (!caller.supporting || type === Token_Type.PERSONAL) return;
  throw new ConnectError(
    `You act for "${caller.organization}" as support staff: make the token for one of its members.`,
    Code.PermissionDenied,
  );
}

/** Names tell tokens apart wherever they are listed, and the contract does not say whether two may share one: no. */
async function requireFreeName(tx: Tx, organization: string, name: string, now: Date): Promise<void> {
  const [taken] = await tx
    .select({ id: token.id })
    .from(token)
    .where(and(eq(token.organization, organization), eq(token.name, name), activeAt(now)));
  if (taken !== undefined) throw new ConnectError(`A token named "${name}" exists already.`, Code.AlreadyExists);
}

/**
 * A token made with a limited token is at most as limited: without a limit of its own it takes over the other's.
 *
 * @throws ConnectError PERMISSION_DENIED for one that reaches further
 */
function limitOf(caller: Scope, asked: Filter_ChildOrganizations | undefined): ChildOrganizationsFilter | null {
  const outer = caller.session.token?.limitImpersonation ?? null;
  if (asked === undefined) return outer;
  const { includeAll, include, exclude } = asked;
  if (outer === null) return { includeAll, include, exclude };
  const reaches = (id: string) => (outer.includeAll || outer.include.includes(id)) && !outer.exclude.includes(id);
  const further = includeAll ? !outer.includeAll : include.some((id) => !reaches(id));
  if (further) {
    throw new ConnectError(
      'A token cannot reach organizations that the token creating it does not.',
      Code.PermissionDenied,
    );
  }
  return { includeAll, include, exclude: [...new Set([...exclude, ...outer.exclude])] };
}
