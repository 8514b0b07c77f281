import { create } from '@bufbuild/protobuf';

import {
  type ListDevice_Request,
  ListDevice_RequestSchema,
  type ListDevice_Response,
  ListDevice_ResponseSchema,
} from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { countDevices } from './model/count.ts';
import { readDeviceCriteria } from './model/criteria.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { listDeviceKeys, loadDevices, missingGateways } from './model/list.ts';
import { parseDeviceSort } from './model/orders.ts';
import { presentDevice, createViewer } from './model/present.ts';
import { resolveOrder } from './model/sort.ts';
import { deviceScope, deviceWhere } from './model/where.ts';

/**
 * Lists a page of the selected devices and, on request, the gateways missing from the page. Also returns the sort
 * order.
 */
export async function listDevices(app: App, caller: Scope, request: ListDevice_Request): Promise<ListDevice_Response> {
  const { orm } = app.db;
  const now = app.now();
  const scope = deviceScope(caller);
  const criteria = readDeviceCriteria(request.selection, now);
  await requireIncludedDevices(orm, scope, criteria);
  const where = deviceWhere(scope, criteria, request.locationSelection);
  const requestedPage = readPage(request.pagination);
  const { sortedBy, orders } = parseDeviceSort(request.sortBy);

  const { keys, findTotal } = await listDeviceKeys(
    app.db,
    where,
    await resolveOrder(orm, scope.organizations, orders),
    requestedPage,
    () => countDevices(orm, scope, criteria, request.locationSelection),
  );
  const [devices, total] = await Promise.all([loadDevices(orm, scope, keys, now), findTotal()]);
  const gateways = request.includeMissingGateways ? await loadDevices(orm, scope, missingGateways(devices), now) : [];
  const viewer = createViewer(app, caller, now);
  return create(ListDevice_ResponseSchema, {
    devices: devices.map((device) => presentDevice(device, viewer)),
    gateways: gateways.map((gateway) => presentDevice(gateway, viewer)),
    request: create(ListDevice_RequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
      sortBy: sortedBy,
    }),
    pagination: paginationResult(requestedPage, total),
    sortedBy,
  });
}
