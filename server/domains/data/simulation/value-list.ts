import { create } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import {
  type List_Request,
  List_RequestSchema,
  List_ResponseSchema,
  type ValueSimulation,
  ValueSimulation_LocationRotationSchema,
  type ValueSimulation_ValueRotation,
  ValueSimulation_ValueRotationSchema,
  ValueSimulationSchema,
} from '#proto/gen/hiber/value_simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import { device } from '#server/db/schema/device.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { type DeviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { effectivePagination, paginationResult, readPage } from '#server/wire/pagination.ts';
import { presentDuration, presentTimestamp } from '#server/wire/present.ts';

import { presentRandomArea, presentRotation } from './locations.ts';
import { locationSimulation, valueSimulation } from './schema.ts';
import { openRotation } from './sealed-rotation.ts';

/** Lists the devices that simulate values or locations, sorted by number. */
export async function listValueSimulations(app: App, scope: DeviceScope, request: List_Request) {
  const { orm } = app.db;
  const criteria = readModemCriteria(request.modems, app.now());
  await requireIncludedDevices(orm, scope, criteria);
  const requestedPage = readPage(request.pagination);
  const where = and(
    deviceWhere(scope, criteria),
    sql`${device.number} in (select number from value_simulation where organization = ${scope.home}
      union all select number from location_simulation where organization = ${scope.home})`,
  );
  const devices = await orm
    .select({ number: device.number })
    .from(device)
    .where(where)
    .orderBy(asc(device.number))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const numbers = devices.map(({ number }) => number);
  return create(List_ResponseSchema, {
    simulations: await loadSimulations(app, scope.home, numbers),
    pagination: paginationResult(requestedPage, await orm.$count(device, where)),
    request: create(List_RequestSchema, {
      ...request,
      organization: scope.home,
      pagination: effectivePagination(requestedPage),
    }),
  });
}

async function loadSimulations(
  { db: { orm }, secrets }: App,
  organization: string,
  numbers: string[],
): Promise<ValueSimulation[]> {
  const values = await orm
    .select()
    .from(valueSimulation)
    .where(and(eq(valueSimulation.organization, organization), anyOf(valueSimulation.number, numbers)))
    .orderBy(asc(valueSimulation.field));
  const locations = await orm
    .select()
    .from(locationSimulation)
    .where(and(eq(locationSimulation.organization, organization), anyOf(locationSimulation.number, numbers)));
  const valuesByNumber = groupBy(values, ({ number }) => number);
  const locationByNumber = new Map(locations.map((row) => [row.number, row]));
  return numbers.map((number) => {
    const location = locationByNumber.get(number);
    return create(ValueSimulationSchema, {
      modemNumber: number,
      values: (valuesByNumber.get(number) ?? []).map((row) => presentValueRotation(openRotation(secrets, row))),
      ...(location === undefined ? {} : { location: presentLocation(location) }),
    });
  });
}

function presentLocation({
  area,
  locations,
  intervalSeconds,
  nextRun,
}: typeof locationSimulation.$inferSelect): ValueSimulation['location'] {
  if (area !== null) return { case: 'randomLocationInArea', value: presentRandomArea(area) };
  return {
    case: 'locationRotation',
    value: create(ValueSimulation_LocationRotationSchema, {
      locations: presentRotation(locations ?? []),
      simulationInterval: presentDuration(intervalSeconds),
      nextSimulationRunAfter: presentTimestamp(nextRun),
    }),
  };
}

function presentValueRotation(row: typeof valueSimulation.$inferSelect): ValueSimulation_ValueRotation {
  return create(ValueSimulation_ValueRotationSchema, {
    fieldSelection: { case: 'fieldPath', value: row.field },
    value: presentValues(row),
    simulationInterval: presentDuration(row.intervalSeconds),
    nextSimulationRunAfter: presentTimestamp(row.nextRun),
  });
}

function presentValues({ type, numericType, unit, rotation }: typeof valueSimulation.$inferSelect) {
  if (type === ValueType.NUMERIC) {
    const values = rotation.map(Number);
    return {
      case: 'numeric' as const,
      value: { values, type: numericType ?? NumericType.OTHER, unit: unit ?? UnitOfMeasurement.UNIT_UNKNOWN },
    };
  }
  const value = { values: rotation.map(String) };
  return type === ValueType.ENUM ? { case: 'enum' as const, value } : { case: 'text' as const, value };
}
