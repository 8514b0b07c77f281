import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import {
  Assign_RequestSchema,
  Assign_ResponseSchema,
  AssignmentService,
  DeleteAssignment_RequestSchema,
  DeleteAssignment_ResponseSchema,
  ListAssignments_RequestSchema,
  ListAssignments_ResponseSchema,
  Unassign_RequestSchema,
  Unassign_ResponseSchema,
} from '#proto/gen/hiber/assignment_pb.ts';
import type { App } from '#server/app/app.ts';
import { service } from '#server/app/service.ts';
import type { Executor } from '#server/db/database.ts';
import { findDeclaredPaths } from '#server/domains/data/parser/model/declared-paths.ts';
import { readPath } from '#server/domains/data/parser/model/path.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { groupedAssignments } from './grouped.ts';
import { assignItems, deleteItems, unassignItems } from './model/change.ts';
import { type Link, loadLinkedItems, presentLink } from './model/link.ts';
import { linksQuery, loadLinks } from './model/query.ts';
import { createSideConditions } from './model/side-conditions.ts';
import { readAssignTimes, readUnassignTime } from './model/times.ts';
import { readAssignSides, readUnassignSides } from './sides.ts';

/** Reads the time once the points are locked. An earlier time could be before an assignment that held the lock. */
const timeAfterLock = (app: App): Date => app.now();

async function presentAll(db: Executor, links: readonly Link[]) {
  const items = await loadLinkedItems(db, links);
  return links.map((link) => presentLink(link, items));
}

export const assignmentService = service(AssignmentService, (app) => ({
  ...groupedAssignments(app),

  /** Lists assignments by their start, newest first (not specified in the contract). */
  async list(request, context) {
    const caller = scope(context);
    const { orm } = app.db;
    const visibleScope = deviceScope(caller);
    const conditions = await createSideConditions(orm, visibleScope, request.selection, app.now());
    const query = linksQuery(visibleScope, conditions, {
      types: request.selection?.types,
      includeInactive: request.includeInactiveAssignments ?? false,
    });
    const requestedPage = readPage(request.pagination);
    const links = await loadLinks(
      orm,
      query,
      sql`order by link.since desc, type, number, tag, point, parser
        limit ${requestedPage.limit} offset ${requestedPage.offset}`,
    );
    const { rows } = await orm.execute<{ total: number }>(sql`select count(*)::int as total from (${query}) as link`);
    return create(ListAssignments_ResponseSchema, {
      assignments: await presentAll(orm, links),
      request: create(ListAssignments_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, rows[0]?.total ?? 0),
    });
  },

  async assign(request, context) {
    const caller = scope(context);
    const requestedFields =
      request.additionalConfiguration.case === 'processPointDevice'
        ? (request.additionalConfiguration.value.sharedFields?.fields ?? [])
        : [];
    const sharedPaths = requestedFields.map((path) => readPath(path, 'A shared field'));
    return app.db.transaction(async (tx) => {
      const sides = await readAssignSides(tx, caller, request, app.now());
      const now = timeAfterLock(app);
      const times = readAssignTimes(request, now);
      const assignedItems =
        sides === undefined
          ? []
          : (
              await assignItems(tx, caller, sides, {
                now,
                ...times,
                sharedFields: await findDeclaredPaths(tx, caller.organization, sharedPaths),
                override: request.overrideConflictingAssignments ?? false,
                allowDelete: request.overrideConflictingAssignmentsAllowDelete ?? false,
              })
            ).links;
      return create(Assign_ResponseSchema, {
        assigned: await presentAll(tx, assignedItems),
        request: create(Assign_RequestSchema, { ...request, organization: caller.organization }),
      });
    });
  },

  async unassign(request, context) {
    const caller = scope(context);
    const removesHistory = request.time.case === 'removeTime' && request.time.value;
    return app.db.transaction(async (tx) => {
      const sides = await readUnassignSides(tx, caller, request, app.now());
      const now = timeAfterLock(app);
      const at = readUnassignTime(request.time.case === 'overrideTime' ? request.time.value : undefined, now);
      const unassigned =
        sides === undefined
          ? []
          : removesHistory
            ? await deleteItems(tx, caller, sides, now)
            : await unassignItems(tx, caller, sides, { now, at });
      return create(Unassign_ResponseSchema, {
        unassigned: await presentAll(tx, unassigned),
        request: create(Unassign_RequestSchema, { ...request, organization: caller.organization }),
      });
    });
  },

  async delete(request, context) {
    const caller = scope(context);
    return app.db.transaction(async (tx) => {
      const sides = await readUnassignSides(tx, caller, request, app.now());
      const deleted = sides === undefined ? [] : await deleteItems(tx, caller, sides, timeAfterLock(app));
      return create(DeleteAssignment_ResponseSchema, {
        deleted: await presentAll(tx, deleted),
        request: create(DeleteAssignment_RequestSchema, { ...request, organization: caller.organization }),
      });
    });
  },
}));
