import { create } from '@bufbuild/protobuf';
import { and, count, ne, sql } from 'drizzle-orm';

import {
  type DeviceSettings_Request,
  DeviceSettings_RequestSchema,
  type DeviceSettings_Response,
  DeviceSettings_ResponseSchema,
} from '#proto/gen/hiber/device_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import type { Scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { readDeviceCriteria } from './model/criteria.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { presentSettings } from './model/present.ts';
import { deviceScope, deviceWhere } from './model/where.ts';

/** Lists a page of the selected devices that have settings, sorted by number (not specified in the contract). */
export async function listDeviceSettings(
  app: App,
  caller: Scope,
  request: DeviceSettings_Request,
): Promise<DeviceSettings_Response> {
  const { orm } = app.db;
  const scope = deviceScope(caller);
  const criteria = readDeviceCriteria(request.selection, app.now());
  await requireIncludedDevices(orm, scope, criteria);
  const requestedPage = readPage(request.pagination);
  const where = and(deviceWhere(scope, criteria), ne(device.settings, sql`'{}'::jsonb`));
  const rows = await orm
    .select({ number: device.number, settings: device.settings })
    .from(device)
    .where(where)
    .orderBy(device.number)
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const [countRow] = await orm.select({ total: count() }).from(device).where(where);
  return create(DeviceSettings_ResponseSchema, {
    devices: rows.map(({ number, settings }) => ({ number, settings: presentSettings(settings) })),
    request: create(DeviceSettings_RequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, countRow?.total ?? 0),
  });
}
