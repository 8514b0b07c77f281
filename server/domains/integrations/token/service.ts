import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import {
  CreateTokenRequest_ResponseSchema,
  DeleteTokenRequest_ResponseSchema,
  ListTokensRequest_ResponseSchema,
  ListTokensRequestSchema,
  TokenService,
  UpdateTokenOrganizationPermissionsRequest_ResponseSchema,
  UpdateTokenRoles_ResponseSchema,
  UpdateTokenUserPermissionsRequest_ResponseSchema,
} from '#proto/gen/hiber/token_pb.ts';
import { service } from '#server/app/service.ts';
import { organizationPermissionsOf, userPermissionsOf } from '#server/policies/permissions.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { createToken } from './create.ts';
import { type Grants, organizationGrants, findRoles, userGrants, difference } from './grants.ts';
import { listTokens } from './list.ts';
import { deleteTokens } from './parent.ts';
import { presentToken, type TokenRow } from './present.ts';
import { lockTokens, updateTokens } from './update.ts';

export const tokenService = service(TokenService, (app) => ({
  async list(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination);
    const { total, tokens } = await listTokens(
      app.db.orm,
      caller.organization,
      request.selection,
      app.now(),
      requestedPage,
    );
    const canSeeOwner = (row: TokenRow): boolean =>
      caller.can('USERS') || (row.userId === caller.session.user.id && caller.can('READ'));
    return create(ListTokensRequest_ResponseSchema, {
      tokens: tokens.map(({ token: row, owner }) =>
        presentToken(row, {
          owner: canSeeOwner(row) ? owner : undefined,
          usedForThisCall: isCallerToken(caller, row),
        }),
      ),
      request: create(ListTokensRequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, total),
    });
  },

  async create(request, context) {
    const { secret, row } = await createToken(app, scope(context), request);
    return create(CreateTokenRequest_ResponseSchema, { token: secret, created: presentToken(row) });
  },

  async delete(request, context) {
    const caller = scope(context);
    await app.db.transaction(async (tx) => {
      const rows = await lockTokens(tx, caller.organization, [request.tokenId]);
      await deleteTokens(tx, rows, app.now());
    });
    return create(DeleteTokenRequest_ResponseSchema);
  },

  async updateTokenOrganizationPermissions(request, context) {
    const caller = scope(context);
    const replacement = request.replaceOrganizationPermissions;
    const additions = [
      ...organizationGrants(replacement, caller),
      ...organizationPermissionsOf(request.addOrganizationPermissions),
    ];
    await updateTokens(app.db, caller, request.tokenIds, { ...noGrants, organization: additions }, (row) => ({
      organizationPermissions: difference(
        [...(replacement ? [] : organizationPermissionsOf(row.organizationPermissions)), ...additions],
        organizationPermissionsOf(request.removeOrganizationPermissions),
      ).map((name) => OrganizationPermission[name]),
    }));
    return create(UpdateTokenOrganizationPermissionsRequest_ResponseSchema);
  },

  async updateTokenUserPermissions(request, context) {
    const caller = scope(context);
    const replacement = request.replaceUserPermissions;
    const additions = [...userGrants(replacement, caller), ...userPermissionsOf(request.addUserPermissions)];
    await updateTokens(app.db, caller, request.tokenIds, { ...noGrants, user: additions }, (row) => ({
      userPermissions: difference(
        [...(replacement ? [] : userPermissionsOf(row.userPermissions)), ...additions],
        userPermissionsOf(request.removeUserPermissions),
      ).map((name) => UserPermission[name]),
    }));
    return create(UpdateTokenUserPermissionsRequest_ResponseSchema);
  },

  async updateTokenRoles(request, context) {
    const caller = scope(context);
    const { case: kind, value } = request.update;
    if (kind === undefined)
      throw new ConnectError('Specify the roles to add and remove, or the new roles.', Code.InvalidArgument);
    const additions = findRoles(kind === 'replace' ? value.roles : value.add);
    await updateTokens(app.db, caller, request.tokenIds, { ...noGrants, roles: additions }, (row) => ({
      roles: difference(
        [...(kind === 'replace' ? [] : row.roles), ...additions.map((role) => role.identifier)],
        kind === 'replace' ? [] : value.remove,
      ),
    }));
    return create(UpdateTokenRoles_ResponseSchema);
  },
}));

const noGrants: Grants = { organization: [], user: [], roles: [] };

const isCallerToken = ({ session }: Scope, row: TokenRow): boolean =>
  session.token?.organization === row.organization && session.token.id === row.id;
