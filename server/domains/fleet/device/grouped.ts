import { clone, create } from '@bufbuild/protobuf';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { PaginationSchema } from '#proto/gen/hiber/base_pb.ts';
import { Filter_ModemsSchema } from '#proto/gen/hiber/filter_pb.ts';
import {
  type ListModemsGrouped_Request,
  ListModemsGrouped_RequestSchema,
  type ListModemsGrouped_Response,
  ListModemsGrouped_ResponseSchema,
  type ListModemsRequest,
  type ListModemsRequest_Response,
  ListModemsRequest_ResponseSchema,
  ListModemsRequestSchema,
  Modem_Type,
  ModemSelectionSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import type { Scope } from '#server/session/scope.ts';
import { countDevices, type ListedDevice } from './model/list.ts';
import { page, paginationResult } from '#server/wire/pagination.ts';
import { presentModem, viewerOf } from './model/present.ts';
import { isAmong } from '#server/db/is-among.ts';
import { type ModemQuery, modemPage, readModemQuery } from './list-modems.ts';

/** Each group is a list of its own, so that pages of groups are kept smaller than pages of devices. */
const groupsPerPage = { default: 20, max: 100 };

/** Of all groups of an answer together: 100 pages of 1,000 devices would keep the server busy for half a minute. */
const DEVICES_PER_ANSWER = 2_000;

/**
 * Devices by the gateway that relays them. The outer pagination and sorting count groups, those of `group_content`
 * apply within each (contract: ModemService.Grouped). The parent of a group is its `group_parents`.
 */
export async function listGrouped(
  app: App,
  caller: Scope,
  request: ListModemsGrouped_Request,
): Promise<ListModemsGrouped_Response> {
  const { orm } = app.db;
  const now = app.now();
  const parents = await parentsOf(app, caller, request, now);
  const shown = await modemPage(app.db, parents, now);
  const content = await readModemQuery(orm, caller, contentOf(request, shown.devices.length), now);
  const groups: ListModemsRequest_Response[] = [];
  for (const parent of shown.devices) groups.push(await group(app, caller, content, parent, now));

  const inGroups = await countDevices(orm, and(content.where, relayedBy(parents.where)));
  return create(ListModemsGrouped_ResponseSchema, {
    groups,
    request: create(ListModemsGrouped_RequestSchema, {
      ...request,
      groups: parents.request,
      groupContent: content.request,
    }),
    pagination: paginationResult(parents.asked, shown.total),
    sortedBy: parents.sorting.sortedBy,
    total: { groups: shown.total, content: inGroups, all: shown.total + inGroups },
  });
}

/** Gateways only, unless any parent is allowed. */
function parentsOf(app: App, caller: Scope, request: ListModemsGrouped_Request, now: Date): Promise<ModemQuery> {
  const asked = copyOf(request.groups);
  const { size = 0, page: number } = asked.pagination ?? {};
  asked.pagination = create(PaginationSchema, {
    page: number,
    size: size === 0 ? groupsPerPage.default : Math.min(size, groupsPerPage.max),
  });
  if (!request.allowAnyGroupParent) {
    asked.selection ??= create(ModemSelectionSchema);
    asked.selection.includeTypes = [Modem_Type.GATEWAY];
  }
  return readModemQuery(app.db.orm, caller, asked, now);
}

/** What is asked of each group, in pages that all groups have room for. */
function contentOf(request: ListModemsGrouped_Request, groups: number): ListModemsRequest {
  const asked = copyOf(request.groupContent);
  const { size, number } = page(asked.pagination);
  const most = Math.max(1, Math.floor(DEVICES_PER_ANSWER / Math.max(1, groups)));
  if (size > most) asked.pagination = create(PaginationSchema, { page: number, size: most });
  return asked;
}

const copyOf = (request: ListModemsRequest | undefined): ListModemsRequest =>
  request === undefined ? create(ListModemsRequestSchema) : clone(ListModemsRequestSchema, request);

/** Devices whose gateway is among the parents. Inside the subquery `device` is the parent. */
const relayedBy = (parents: SQL | undefined): SQL =>
  isAmong(device.gateway, sql`select ${device.number} from ${device} where ${parents ?? sql`true`}`);

/**
 * As a List of the content with the parent as its gateway; the echoed request is that one, so its `next` can be sent
 * to List.
 */
async function group(
  app: App,
  caller: Scope,
  content: ModemQuery,
  parent: ListedDevice,
  now: Date,
): Promise<ListModemsRequest_Response> {
  const { number } = parent.row;
  const { total, devices } = await modemPage(app.db, content, now, eq(device.gateway, number));
  const request = copyOf(content.request);
  request.selection ??= create(ModemSelectionSchema);
  const exclude = request.selection.connectedToGateways?.exclude;
  request.selection.connectedToGateways = create(Filter_ModemsSchema, { include: [number], exclude });
  const viewer = viewerOf(app, caller, now);
  return create(ListModemsRequest_ResponseSchema, {
    modems: devices.map((device) => presentModem(device, viewer)),
    groupParents: [presentModem(parent, viewer)],
    request,
    pagination: paginationResult(content.asked, total),
    sortedBy: content.sorting.sortedBy,
  });
}
