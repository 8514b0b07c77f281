import { create } from '@bufbuild/protobuf';

import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Pagination, Timestamp } from '#proto/gen/hiber/base_pb.ts';
import type { DeviceSelection } from '#proto/gen/hiber/device_pb.ts';
import type { ProcessPoint, ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import {
  AssignProcessPointDevices_RequestSchema,
  AssignProcessPointDevices_ResponseSchema,
  AssignProcessPointTags_RequestSchema,
  AssignProcessPointTags_ResponseSchema,
  CreateProcessPoint_RequestSchema,
  CreateProcessPoint_ResponseSchema,
  DeleteProcessPoint_RequestSchema,
  DeleteProcessPoint_ResponseSchema,
  ListProcessPoints_RequestSchema,
  ListProcessPoints_ResponseSchema,
  ProcessPointService,
  UnassignProcessPointDevices_RequestSchema,
  UnassignProcessPointDevices_ResponseSchema,
  UnassignProcessPointTags_RequestSchema,
  UnassignProcessPointTags_ResponseSchema,
  UpdateProcessPoint_RequestSchema,
  UpdateProcessPoint_ResponseSchema,
} from '#proto/gen/hiber/process_point_service_pb.ts';
import type { TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import type { App } from '#server/app/app.ts';
import { service } from '#server/app/service.ts';
import type { Tx } from '#server/db/database.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { assignItems, unassignItems } from '#server/domains/fleet/assignment/model/change.ts';
import { selectDeviceNumbers, selectTags } from '#server/domains/fleet/assignment/model/items.ts';
import type { Sides } from '#server/domains/fleet/assignment/model/link-rows.ts';
import { readAssignTimes, readUnassignTime } from '#server/domains/fleet/assignment/model/times.ts';
import { isUnset, readDeviceCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { withChildren } from '#server/domains/fleet/device/organizations.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { effectivePagination, type Page, readPage, paginationResult } from '#server/wire/pagination.ts';

import { listPoints, loadPoints } from './model/list.ts';
import { presentPoint } from './model/present.ts';
import { knownSorts } from './model/sort.ts';
import { lockPoints, type PointRow, pointWhere, requireNamedPoints } from './model/where.ts';
import { createPoints, deletePoints, updatePoints } from './write.ts';

export const processPointService = service(ProcessPointService, (app) => ({
  async list(request, context) {
    const caller = scope(context);
    const { orm } = app.db;
    const visibleScope = await withChildren(orm, caller, request.childOrganizations, 'PROCESS_POINTS');
    await requireNamedPoints(orm, visibleScope, request.selection);
    const requestedPage = readPage(request.pagination);
    const sortBy = knownSorts(request.sortBy);
    const where = pointWhere(visibleScope, request.selection);
    const [points, total] = await Promise.all([
      listPoints(orm, visibleScope, { where, isUnfiltered: isUnset(request.selection), sortBy }, requestedPage),
      orm.$count(processPoint, where),
    ]);
    return create(ListProcessPoints_ResponseSchema, {
      processPoints: points.map(presentPoint),
      pagination: paginationResult(requestedPage, total),
      request: create(ListProcessPoints_RequestSchema, { ...request, ...echo(caller, requestedPage), sortBy }),
    });
  },

  async create(request, context) {
    const caller = scope(context);
    return create(CreateProcessPoint_ResponseSchema, {
      created: await createPoints(app, caller, request.create),
      request: create(CreateProcessPoint_RequestSchema, { ...request, organization: caller.organization }),
    });
  },

  async update(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination);
    const updatedPoints = await updatePoints(app, caller, request.selection, request.update);
    return create(UpdateProcessPoint_ResponseSchema, {
      processPoints: updatedPoints.slice(requestedPage.offset, requestedPage.offset + requestedPage.limit),
      pagination: paginationResult(requestedPage, updatedPoints.length),
      request: create(UpdateProcessPoint_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
    });
  },

  async delete(request, context) {
    const caller = scope(context);
    return create(DeleteProcessPoint_ResponseSchema, {
      deleted: await deletePoints(app, caller, request.selection),
      request: create(DeleteProcessPoint_RequestSchema, { ...request, organization: caller.organization }),
    });
  },

  async assignTag(request, context) {
    const { caller, requestedPage, points, total } = await changeLinks(app, scope(context), request, assignTags);
    return create(AssignProcessPointTags_ResponseSchema, {
      processPoints: points,
      pagination: paginationResult(requestedPage, total),
      request: create(AssignProcessPointTags_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
    });
  },

  async unassignTag(request, context) {
    const { caller, requestedPage, points, total } = await changeLinks(app, scope(context), request, unassignTags);
    return create(UnassignProcessPointTags_ResponseSchema, {
      processPoints: points,
      pagination: paginationResult(requestedPage, total),
      request: create(UnassignProcessPointTags_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
    });
  },

  async assignDevice(request, context) {
    const { caller, requestedPage, points, total } = await changeLinks(app, scope(context), request, assignDevices);
    return create(AssignProcessPointDevices_ResponseSchema, {
      processPoints: points,
      pagination: paginationResult(requestedPage, total),
      request: create(AssignProcessPointDevices_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
    });
  },

  async unassignDevice(request, context) {
    const { caller, requestedPage, points, total } = await changeLinks(app, scope(context), request, unassignDevices);
    return create(UnassignProcessPointDevices_ResponseSchema, {
      processPoints: points,
      pagination: paginationResult(requestedPage, total),
      request: create(UnassignProcessPointDevices_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
    });
  },
}));

const echo = ({ organization }: Scope, requestedPage: Page) => ({
  organization,
  pagination: effectivePagination(requestedPage),
});

interface LinkRequest {
  readonly selection?: ProcessPointSelection | undefined;
  readonly pagination?: Pagination | undefined;
}

type LinkChange<Request> = (
  tx: Tx,
  caller: Scope,
  points: readonly PointRow[],
  request: Request,
  now: Date,
) => Promise<unknown>;

/** Changes the assignments of the selected points and returns a page of them. */
async function changeLinks<Request extends LinkRequest>(
  app: App,
  caller: Scope,
  request: Request,
  change: LinkChange<Request>,
): Promise<{ caller: Scope; requestedPage: Page; points: ProcessPoint[]; total: number }> {
  const requestedPage = readPage(request.pagination);
  const visibleScope = deviceScope(caller);
  return app.db.transaction(async (tx) => {
    const rows = await lockPoints(tx, visibleScope, request.selection);
    await change(tx, caller, rows, request, app.now());
    const pageRows = rows.slice(requestedPage.offset, requestedPage.offset + requestedPage.limit);
    const identifiers = pageRows.map(({ identifier }) => identifier);
    const points = (await loadPoints(tx, visibleScope, identifiers)).map(presentPoint);
    return { caller, requestedPage, points, total: rows.length };
  });
}

interface TagsRequest extends LinkRequest {
  readonly tags?: TagSelection | undefined;
}

async function findTagSides(tx: Tx, caller: Scope, points: readonly PointRow[], { tags }: TagsRequest): Promise<Sides> {
  const selectedTags = await selectTags(tx, caller, tags);
  return { type: AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG, points: [...points], tags: selectedTags };
}

const assignTags: LinkChange<TagsRequest> = async (tx, caller, points, request, now) =>
  assignItems(tx, caller, await findTagSides(tx, caller, points, request), {
    now,
    since: now,
    until: null,
    sharedFields: [],
  });

const unassignTags: LinkChange<TagsRequest> = async (tx, caller, points, request, now) =>
  unassignItems(tx, caller, await findTagSides(tx, caller, points, request), { now, at: now });

interface DevicesRequest extends LinkRequest {
  readonly devices?: DeviceSelection | undefined;
  readonly overrideTime?: Timestamp | undefined;
  readonly endTime?: Timestamp | undefined;
}

async function findDeviceSides(
  tx: Tx,
  caller: Scope,
  points: readonly PointRow[],
  { devices }: DevicesRequest,
  now: Date,
): Promise<Sides> {
  const numbers = await selectDeviceNumbers(tx, caller, readDeviceCriteria(devices, now));
  return { type: AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE, points: [...points], numbers };
}

const assignDevices: LinkChange<DevicesRequest> = async (tx, caller, points, request, now) =>
  assignItems(tx, caller, await findDeviceSides(tx, caller, points, request, now), {
    now,
    sharedFields: [],
    ...readAssignTimes(request, now),
  });

const unassignDevices: LinkChange<DevicesRequest> = async (tx, caller, points, request, now) =>
  unassignItems(tx, caller, await findDeviceSides(tx, caller, points, request, now), {
    now,
    at: readUnassignTime(request.overrideTime, now),
  });
