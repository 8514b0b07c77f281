import { create } from '@bufbuild/protobuf';
import { and, arrayOverlaps, asc, count, eq, isNotNull, ne, or } from 'drizzle-orm';

import {
  DeleteOrganizationRequest_ResponseSchema,
  GetOrganizationAvatar_ResponseSchema,
  ListChildOrganizationsRequest_ResponseSchema,
  ListChildOrganizationsRequestSchema,
  OrganizationService,
  OrganizationTreeRequest_ResponseSchema,
  OrganizationTreeRequestSchema,
  ValidateOrganizationCreationTokenRequest_ResponseSchema,
} from '#proto/gen/hiber/organization_pb.ts';
import { service } from '#server/app/service.ts';
import { anyOf } from '#server/db/any-of.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible } from '#server/session/access.ts';
import { type Scope, scope, scopeIfAny, session } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { createOrganization } from './create.ts';
import { isUsable } from './creation-tokens.ts';
import { deleteOrganization } from './delete.ts';
import {
  type OrganizationRow,
  presentAvatar,
  presentedColumns,
  presentOrganization,
  presentOrganizationName,
} from './present.ts';
import { selectedOrganizations } from './selection.ts';
import { organizationTree } from './tree.ts';
import { updateOrganization } from './update.ts';

/**
 * Page sizes that fit avatars of the maximum size into one response, which contains each avatar as bytes and as hex.
 */
const avatarPage = { default: 20, max: 40 };

export const organizationService = service(OrganizationService, (app) => {
  const { orm } = app.db;
  const findOrganization = async (id: string): Promise<OrganizationRow> => {
    const [row] = await orm.select().from(organization).where(eq(organization.id, id));
    if (row === undefined) throw new Error(`The organization ${id} disappeared during the call.`);
    return row;
  };
  /** Matches the caller's organization and its descendants, if the caller may access them. */
  const accessibleSubtree = (caller: Scope) =>
    and(arrayOverlaps(organization.path, [caller.organization]), accessible(caller.session));
  const byName = [asc(naturalOrder(organization.displayName)), asc(organization.id)];

  return {
    get: async (_request, context) => presentOrganization(await findOrganization(scope(context).organization)),

    async tree(request, context) {
      const caller = scope(context);
      const rows = await orm
        .select()
        .from(organization)
        .where(accessibleSubtree(caller))
        .orderBy(...byName);
      const matchingRows = await orm
        .select({ id: organization.id })
        .from(organization)
        .where(and(accessibleSubtree(caller), selectedOrganizations(request.selection)));
      const ids = new Set(matchingRows.map((row) => row.id));
      return create(OrganizationTreeRequest_ResponseSchema, {
        request: create(OrganizationTreeRequestSchema, { ...request, organization: caller.organization }),
        tree: organizationTree(await findOrganization(caller.organization), rows, (id) => ids.has(id)),
      });
    },

    async listChildOrganizations(request, context) {
      const caller = scope(context);
      const requestedPage = readPage(request.pagination);
      // Include descendants at any depth, like Tree (not specified in the contract).
      const where = and(
        accessibleSubtree(caller),
        ne(organization.id, caller.organization),
        selectedOrganizations(request.selection),
      );
      const page = orm
        .select(presentedColumns)
        .from(organization)
        .where(where)
        .orderBy(...byName)
        .limit(requestedPage.limit)
        .offset(requestedPage.offset);
      const [rows, total] = await Promise.all([page, orm.$count(organization, where)]);
      const present = request.includeDetails === true ? presentOrganization : presentOrganizationName;
      return create(ListChildOrganizationsRequest_ResponseSchema, {
        childOrganizations: rows.map(present),
        request: create(ListChildOrganizationsRequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(requestedPage),
        }),
        pagination: paginationResult(requestedPage, total),
      });
    },

    create: async (request, context) =>
      presentOrganization(await createOrganization(app, session(context), scopeIfAny(context), request)),

    async validateCreationToken(request) {
      const valid = await isUsable(orm, request.organizationCreationToken, app.now());
      return create(ValidateOrganizationCreationTokenRequest_ResponseSchema, { valid });
    },

    update: async (request, context) =>
      presentOrganization(await updateOrganization(app, scope(context).organization, request)),

    async delete(request, context) {
      const deletedTree = await deleteOrganization(app, scope(context), request.organizationToDelete);
      return create(DeleteOrganizationRequest_ResponseSchema, {
        organizationToDelete: deletedTree.organization?.organization ?? '',
        organizationsDeleted: deletedTree,
      });
    },

    async getAvatar(request, context) {
      const requestedPage = readPage(request.pagination, avatarPage);
      // Leave out organizations that are inaccessible or have no avatar. An empty list selects everything.
      const where = and(
        accessible(session(context)),
        or(isNotNull(organization.avatarUrl), isNotNull(organization.avatarImage)),
        request.organizations.length === 0 ? undefined : anyOf(organization.id, request.organizations),
      );
      const [total] = await orm.select({ count: count() }).from(organization).where(where);
      const rows = await orm
        .select()
        .from(organization)
        .where(where)
        .orderBy(asc(organization.id))
        .limit(requestedPage.limit)
        .offset(requestedPage.offset);
      return create(GetOrganizationAvatar_ResponseSchema, {
        avatars: Object.fromEntries(rows.flatMap((row) => avatarEntry(row))),
        pagination: paginationResult(requestedPage, total?.count ?? 0),
      });
    },
  };
});

function avatarEntry(row: OrganizationRow) {
  const avatar = presentAvatar(row);
  return avatar === undefined ? [] : [[row.id, avatar] as const];
}
