import { create } from '@bufbuild/protobuf';
import type { SQL } from 'drizzle-orm';

import {
  type ListModemsRequest,
  type ListModemsRequest_Response,
  ListModemsRequest_ResponseSchema,
  ListModemsRequestSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Scope } from '#server/session/scope.ts';
import { effectivePagination, type Page, readPage, paginationResult } from '#server/wire/pagination.ts';

import { countDevices } from './model/count.ts';
import { isUnset, readModemCriteria, selectsEverything } from './model/criteria.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { listDeviceKeys, loadDevices, missingGateways } from './model/list.ts';
import { parseModemSort, type Sorting } from './model/orders.ts';
import { presentModem, createViewer } from './model/present.ts';
import { resolveOrder } from './model/sort.ts';
import { type DeviceScope, deviceWhere } from './model/where.ts';
import { withChildren } from './organizations.ts';

/** A list request that has been parsed and checked. */
export interface ModemQuery {
  readonly scope: DeviceScope;
  readonly where: SQL | undefined;
  /** Counts the devices that match `where`. */
  readonly count: () => Promise<number>;
  /** True if only the lifecycle determines which devices of the scope match. */
  readonly isUnfiltered: boolean;
  readonly requestedPage: Page;
  readonly sorting: Sorting<ListModemsRequest['sortBy'][number]>;
  /** The request as the server interpreted it. */
  readonly request: ListModemsRequest;
}

export async function readModemQuery(
  db: Executor,
  caller: Scope,
  request: ListModemsRequest,
  now: Date,
): Promise<ModemQuery> {
  const scope = await withChildren(db, caller, request.childOrganizations);
  const criteria = readModemCriteria(request.selection, now);
  await requireIncludedDevices(db, scope, criteria);
  const requestedPage = readPage(request.pagination);
  const sorting = parseModemSort(request.sortBy);
  return {
    scope,
    where: deviceWhere(scope, criteria, request.locationSelection),
    count: () => countDevices(db, scope, criteria, request.locationSelection),
    isUnfiltered: selectsEverything(criteria) && isUnset(request.locationSelection),
    requestedPage,
    sorting,
    request: create(ListModemsRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
      sortBy: sorting.sortedBy,
    }),
  };
}

/** Lists the keys of the requested page. `findTotal` counts all devices that match. */
export async function listModemKeys(db: Database, { scope, where, count, requestedPage, sorting }: ModemQuery) {
  const order = await resolveOrder(db.orm, scope.organizations, sorting.orders);
  return listDeviceKeys(db, where, order, requestedPage, count);
}

export async function listModems(
  app: App,
  caller: Scope,
  request: ListModemsRequest,
): Promise<ListModemsRequest_Response> {
  const { orm } = app.db;
  const now = app.now();
  const query = await readModemQuery(orm, caller, request, now);
  const { keys, findTotal } = await listModemKeys(app.db, query);
  const [devices, total] = await Promise.all([loadDevices(orm, query.scope, keys, now), findTotal()]);
  const parents = request.includeMissingGroupParents
    ? await loadDevices(orm, query.scope, missingGateways(devices), now)
    : [];
  const viewer = createViewer(app, caller, now);
  return create(ListModemsRequest_ResponseSchema, {
    modems: devices.map((device) => presentModem(device, viewer)),
    groupParents: parents.map((parent) => presentModem(parent, viewer)),
    request: query.request,
    pagination: paginationResult(query.requestedPage, total),
    sortedBy: query.sorting.sortedBy,
  });
}
