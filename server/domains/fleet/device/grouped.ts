import { isDeepStrictEqual } from 'node:util';

import { clone, create } from '@bufbuild/protobuf';
import { and, isNotNull, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
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
import { anyOf, noneOf } from '#server/db/any-of.ts';
import type { Database, Orm } from '#server/db/database.ts';
import { isAmong } from '#server/db/is-among.ts';
import { device } from '#server/db/schema/device.ts';
import { gatewayDeviceCount } from '#server/db/schema/gateway-device-count.ts';
import type { Scope } from '#server/session/scope.ts';
import { readPage, paginationResult } from '#server/wire/pagination.ts';

import { listModemKeys, type ModemQuery, readModemQuery } from './list-modems.ts';
import { listDeviceKeysPerGateway, loadDevices } from './model/list.ts';
import { type DeviceKey, type ListedDevice, numbersOf } from './model/listed-device.ts';
import { presentModem, createViewer, type Viewer } from './model/present.ts';
import { resolveOrder } from './model/sort.ts';
import { type DeviceScope, hiddenFrom, optInLifecycles } from './model/where.ts';

/** Each group is itself a list, so pages of groups are smaller than pages of devices. */
const GROUPS_PER_PAGE = { default: 20, max: 100 };
/** A page of groups shows the first devices in each group. List returns the others. */
const DEFAULT_DEVICES_PER_GROUP = 10;

/**
 * The maximum total number of devices in a response. Without it, 100 pages of 1,000 devices would keep the server busy
 * for half a minute.
 */
const MAX_DEVICES = 2000;

/**
 * Lists devices grouped by the gateway that relays their messages (contract: ModemService.Grouped). `groups` paginates
 * and sorts the groups, and `group_content` the devices within each group. `group_parents` is the gateway of a group.
 */
export async function listGrouped(
  app: App,
  caller: Scope,
  request: ListModemsGrouped_Request,
): Promise<ListModemsGrouped_Response> {
  const { db } = app;
  const now = app.now();
  const parents = await readParentQuery(app, caller, request, now);
  const parentPage = await listModemKeys(db, parents);
  const content = await readModemQuery(db.orm, caller, contentRequest(request, parentPage.keys.length), now);
  const contentPages = await listContentKeys(db, content, parentPage.keys);
  const contentKeys = [...contentPages.keys.values()].flat();
  const [devices, groupCount, totals, contentCount] = await Promise.all([
    loadGroups(
      db.orm,
      { scope: parents.scope, keys: parentPage.keys },
      { scope: content.scope, keys: contentKeys },
      now,
    ),
    parentPage.findTotal(),
    contentPages.findTotals(),
    countRelayed(db.orm, content, parents.where),
  ]);
  return create(ListModemsGrouped_ResponseSchema, {
    groups: presentGroups(content, devices, totals, createViewer(app, caller, now)),
    request: create(ListModemsGrouped_RequestSchema, {
      ...request,
      groups: parents.request,
      groupContent: content.request,
    }),
    pagination: paginationResult(parents.requestedPage, groupCount),
    sortedBy: parents.sorting.sortedBy,
    total: { groups: groupCount, content: contentCount, all: groupCount + contentCount },
  });
}

/** Reads the query for the parents, which selects only gateways unless the request allows any parent. */
function readParentQuery(app: App, caller: Scope, request: ListModemsGrouped_Request, now: Date): Promise<ModemQuery> {
  const parents = copyRequest(request.groups);
  const { size = 0, page: number } = parents.pagination ?? {};
  parents.pagination = create(PaginationSchema, {
    page: number,
    size: size === 0 ? GROUPS_PER_PAGE.default : Math.min(size, GROUPS_PER_PAGE.max),
  });
  if (!request.allowAnyGroupParent) {
    parents.selection ??= create(ModemSelectionSchema);
    parents.selection.includeTypes = [Modem_Type.GATEWAY];
  }
  return readModemQuery(app.db.orm, caller, parents, now);
}

/** Returns the request for the content of each group, with a page size that keeps the response within the limit. */
function contentRequest(request: ListModemsGrouped_Request, groups: number): ListModemsRequest {
  const content = copyRequest(request.groupContent);
  const { size, number } = readPage(content.pagination, { default: DEFAULT_DEVICES_PER_GROUP });
  const maxSize = Math.max(1, Math.floor(MAX_DEVICES / Math.max(1, groups)));
  content.pagination = create(PaginationSchema, { page: number, size: Math.min(size, maxSize) });
  return content;
}

const copyRequest = (request: ListModemsRequest | undefined): ListModemsRequest =>
  request === undefined ? create(ListModemsRequestSchema) : clone(ListModemsRequestSchema, request);

/**
 * Counts the devices that a parent relays for. Counts them per gateway first, so each gateway is looked up only once.
 * Inside the second subquery, `device` is the parent.
 */
async function countRelayed(db: Orm, content: ModemQuery, parents: SQL | undefined): Promise<number> {
  const parentNumbers = sql`select ${device.number} from ${device} where ${parents ?? sql`true`}`;
  const countPerGateway = content.isUnfiltered
    ? storedCounts(content.scope)
    : sql`select ${device.gateway}, count(*) as devices from ${device}
        where ${and(content.where, isNotNull(device.gateway))} group by ${device.gateway}`;
  const { rows } = await db.execute<{ total: number }>(sql`
    select coalesce(sum(devices), 0)::int as total from (${countPerGateway}) as relayed
    where ${isAmong(sql`relayed.gateway`, parentNumbers)}`);
  return rows[0]?.total ?? 0;
}

/** Selects the stored numbers of devices that a request without a selection matches, possibly several per gateway. */
const storedCounts = (scope: DeviceScope): SQL => sql`
  select ${gatewayDeviceCount.gateway}, ${gatewayDeviceCount.devices} from ${gatewayDeviceCount}
   where ${and(
     anyOf(gatewayDeviceCount.organization, scope.organizations),
     noneOf(gatewayDeviceCount.lifecycle, [...hiddenFrom(scope), ...optInLifecycles]),
   )}`;

/** Lists the keys of the devices connected to each parent. */
async function listContentKeys(
  db: Database,
  { scope, where, requestedPage, sorting }: ModemQuery,
  parents: DeviceKey[],
) {
  const order = await resolveOrder(db.orm, scope.organizations, sorting.orders);
  return listDeviceKeysPerGateway(db, where, order, requestedPage, numbersOf(parents));
}

interface ScopedKeys {
  readonly scope: DeviceScope;
  readonly keys: readonly DeviceKey[];
}

interface Groups {
  readonly parents: readonly ListedDevice[];
  /** The devices of all groups, in order. A device has one gateway, so it's in one group. */
  readonly content: readonly ListedDevice[];
}

/**
 * Loads the parents and the devices of all groups, at once if their scopes are equal. The scope determines which
 * connected devices count.
 */
async function loadGroups(db: Orm, parents: ScopedKeys, content: ScopedKeys, now: Date): Promise<Groups> {
  if (!isDeepStrictEqual(parents.scope, content.scope)) {
    const [parentDevices, contentDevices] = await Promise.all(
      [parents, content].map(({ scope, keys }) => loadDevices(db, scope, keys, now)),
    );
    return { parents: parentDevices ?? [], content: contentDevices ?? [] };
  }
  // A parent can also be in a group.
  const keys = new Map([...parents.keys, ...content.keys].map((key) => [key.number, key]));
  const devices = await loadDevices(db, parents.scope, [...keys.values()], now);
  const byNumber = new Map(devices.map((listedDevice) => [listedDevice.row.number, listedDevice]));
  const pick = ({ keys: picked }: ScopedKeys) => picked.flatMap(({ number }) => byNumber.get(number) ?? []);
  return { parents: pick(parents), content: pick(content) };
}

/** The request returned with a group selects the group's gateway, so clients can get the next page from List. */
function presentGroups(
  { request, requestedPage, sorting }: ModemQuery,
  { parents, content }: Groups,
  totals: ReadonlyMap<string, number>,
  viewer: Viewer,
): ListModemsRequest_Response[] {
  const perGateway = groupBy(content, ({ row }) => row.gateway);
  return parents.map((parent) => {
    const { number } = parent.row;
    return create(ListModemsRequest_ResponseSchema, {
      modems: (perGateway.get(number) ?? []).map((listedDevice) => presentModem(listedDevice, viewer)),
      groupParents: [presentModem(parent, viewer)],
      request: groupRequest(request, number),
      pagination: paginationResult(requestedPage, totals.get(number) ?? 0),
      sortedBy: sorting.sortedBy,
    });
  });
}

function groupRequest(contentRequest: ListModemsRequest, gateway: string): ListModemsRequest {
  const request = copyRequest(contentRequest);
  request.selection ??= create(ModemSelectionSchema);
  const exclude = request.selection.connectedToGateways?.exclude;
  request.selection.connectedToGateways = create(Filter_ModemsSchema, { include: [gateway], exclude });
  return request;
}
