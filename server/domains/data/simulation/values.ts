import { create } from '@bufbuild/protobuf';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { unitOf } from '#commands/units/table.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import {
  type Delete_Request,
  type List_Request,
  List_RequestSchema,
  List_ResponseSchema,
  type Update_Request,
  Update_RequestSchema,
  Update_ResponseSchema,
  type ValueSimulation,
  ValueSimulation_LocationRotationSchema,
  type ValueSimulation_ValueRotation,
  ValueSimulation_ValueRotationSchema,
  ValueSimulationSchema,
} from '#proto/gen/hiber/value_simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { type FieldRow, numericTypeName } from '#server/domains/data/parser/model/fields.ts';
import { type ListedParser, requireUsable } from '#server/domains/data/parser/model/find.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { type DeviceScope, deviceWhere, requireIncludedDevices } from '#server/domains/fleet/device/model/where.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { hasUnit } from '#server/wire/numeric.ts';
import { effectivePagination, paginationResult, readPage } from '#server/wire/pagination.ts';
import { presentDuration, presentTimestamp } from '#server/wire/present.ts';
import { shorten } from '#server/wire/text.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import { checkLimits, lockSettings, readInterval, requireRotation } from './limits.ts';
import {
  presentRandomArea,
  presentRotation,
  readRandomArea,
  readRotation,
  type SimulatedLocations,
} from './locations.ts';
import { locationSimulation, valueSimulation } from './schema.ts';
import { openRotation, sealRotation } from './sealed-rotation.ts';

const DEFAULT_INTERVAL = 3600;
/** The maximum length of a simulated text or enum value. */
const MAX_TEXT = 200;

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

/** Creates or replaces the simulations of the listed fields, and of the location, for each selected device. */
export async function updateValueSimulations(app: App, scope: DeviceScope, request: Update_Request) {
  const now = app.now();
  const criteria = readModemCriteria(request.modems, now);
  const specs = request.values.length === 0 ? [] : await readSpecs(app, scope.home, request, now);
  const location = readLocations(request, specs, now);
  if (specs.length === 0 && location === undefined)
    throw invalidArgument('Specify the values or the location to simulate.');
  await app.db.transaction(async (tx) => {
    await lockSettings(tx, scope.home);
    await requireIncludedDevices(tx, scope, criteria);
    const devices = sql`select ${device.number} as number from ${device} where ${deviceWhere(scope, criteria)}`;
    await upsertValues(tx, scope.home, devices, specs);
    if (location !== undefined) await upsertLocation(tx, scope.home, devices, location);
    await checkLimits(tx, scope.home);
  });
  return create(Update_ResponseSchema, {
    request: create(Update_RequestSchema, { ...request, organization: scope.home }),
  });
}

/** The simulation of a field, for any device. */
interface Spec extends Pick<typeof valueSimulation.$inferInsert, 'type' | 'numericType' | 'unit' | 'rotation'> {
  readonly sealed: boolean;
  readonly field: string;
  readonly fieldIdentifier: string;
  readonly parser: string;
  readonly owner: string;
  readonly intervalSeconds: number;
  readonly nextRun: Date;
}

async function readSpecs(app: App, organization: string, request: Update_Request, now: Date): Promise<Spec[]> {
  if (request.parserIdentifier === '') throw invalidArgument('Specify the parser whose fields are simulated.');
  const parser = await requireUsable(app.db.orm, organization, request.parserIdentifier);
  const specs = request.values.map((rotation, index) => {
    const field = findField(parser, rotation, `values[${index}]`);
    const interval = readDuration(rotation.simulationInterval, `values[${index}].simulation_interval`);
    const values = readValueRotation(field, rotation);
    return {
      ...values,
      rotation: field.encrypted ? sealRotation(app.secrets, values.rotation) : values.rotation,
      sealed: field.encrypted,
      field: field.field,
      fieldIdentifier: field.identifier,
      parser: parser.row.identifier,
      owner: parser.row.organization,
      intervalSeconds: readInterval(interval, `values[${index}].simulation_interval`) ?? DEFAULT_INTERVAL,
      nextRun: readTimestamp(rotation.nextSimulationRunAfter, now, `values[${index}].next_simulation_run_after`) ?? now,
    };
  });
  const duplicate = specs.find(({ field }, index) => specs.findIndex((spec) => spec.field === field) < index);
  if (duplicate !== undefined) throw invalidArgument(`The field ${shorten(duplicate.field)} is listed twice.`);
  return specs;
}

function findField(
  { row, fields }: ListedParser,
  { fieldSelection }: ValueSimulation_ValueRotation,
  subject: string,
): FieldRow {
  const name = (fieldSelection.value ?? '').trim();
  if (name === '') throw invalidArgument(`${subject} needs the path or the identifier of a field.`);
  const field = fields.find((candidate) =>
    fieldSelection.case === 'fieldIdentifier' ? candidate.identifier === name : candidate.field === name,
  );
  if (field === undefined) throw notFound(`The parser "${row.name}" has no field ${shorten(name)}.`);
  return field;
}

function readValueRotation(
  { field, type }: FieldRow,
  { value: rotation }: ValueSimulation_ValueRotation,
): Pick<Spec, 'type' | 'numericType' | 'unit' | 'rotation'> {
  const path = shorten(field);
  if (rotation.case === undefined) throw invalidArgument(`The field ${path} needs values to simulate.`);
  const expectedCase = type === ValueType.NUMERIC ? 'numeric' : type === ValueType.ENUM ? 'enum' : 'text';
  if (rotation.case !== expectedCase) {
    throw invalidArgument(`The field ${path} is ${expectedCase}, so it can't have ${rotation.case} values.`);
  }
  const { values } = rotation.value;
  if (values.length === 0) throw invalidArgument(`The field ${path} needs values to simulate.`);
  requireRotation(values, `The values of ${path}`);
  if (rotation.case === 'numeric') {
    requireUnit(path, rotation.value);
    const { type: numericType, unit } = rotation.value;
    return { type, numericType, unit, rotation: rotation.value.values };
  }
  const tooLong = rotation.value.values.find((text) => text.length > MAX_TEXT);
  if (tooLong !== undefined) {
    throw invalidArgument(`A value of ${path} can have at most ${MAX_TEXT} characters; one has ${tooLong.length}.`);
  }
  return { type, numericType: null, unit: null, rotation: rotation.value.values };
}

/** The type and the unit are required, and must match (contract: ValueSimulationService). */
function requireUnit(path: string, { type, unit }: { type: NumericType; unit: UnitOfMeasurement }): void {
  if (type === NumericType.TYPE_UNKNOWN) throw invalidArgument(`The values of ${path} need a type.`);
  if (unit === UnitOfMeasurement.UNIT_UNKNOWN) throw invalidArgument(`The values of ${path} need a unit.`);
  if (!hasUnit(type, unit)) {
    throw invalidArgument(
      `The values of ${path} have the type ${numericTypeName(type)}, but the unit ${unitOf(unit)?.symbol ?? 'OTHER'}.`,
    );
  }
}

type LocationSpec = SimulatedLocations & { readonly intervalSeconds: number; readonly nextRun: Date };

/** Locations in an area have no interval of their own, so they follow the most frequent field. */
function readLocations({ location }: Update_Request, specs: readonly Spec[], now: Date): LocationSpec | undefined {
  if (location.case === undefined) return undefined;
  if (location.case === 'randomLocationInArea') {
    const intervalSeconds = Math.min(...specs.map((spec) => spec.intervalSeconds), DEFAULT_INTERVAL);
    return { ...readRandomArea(location.value), intervalSeconds, nextRun: now };
  }
  const { locations, simulationInterval, nextSimulationRunAfter } = location.value;
  const field = 'replace_location_rotation';
  const interval = readDuration(simulationInterval, `${field}.simulation_interval`);
  return {
    ...readRotation(locations),
    intervalSeconds: readInterval(interval, `${field}.simulation_interval`) ?? DEFAULT_INTERVAL,
    nextRun: readTimestamp(nextSimulationRunAfter, now, `${field}.next_simulation_run_after`) ?? now,
  };
}

async function upsertValues(tx: Tx, organization: string, devices: SQL, specs: readonly Spec[]): Promise<void> {
  if (specs.length === 0) return;
  const column = <T>(read: (spec: Spec) => T) => sql.param(specs.map(read));
  await tx.execute(sql`
    insert into value_simulation as stored (organization, number, field, field_identifier, parser, owner, type,
      numeric_type, unit, rotation, sealed, interval_seconds, next_run)
    select ${organization}, selected.number, spec.* from (${devices}) as selected cross join unnest(
      ${column(({ field }) => field)}::text[], ${column(({ fieldIdentifier }) => fieldIdentifier)}::text[],
      ${column(({ parser }) => parser)}::text[], ${column(({ owner }) => owner)}::text[],
      ${column(({ type }) => type)}::int[], ${column(({ numericType }) => numericType)}::int[],
      ${column(({ unit }) => unit)}::int[], ${column(({ rotation }) => JSON.stringify(rotation))}::jsonb[],
      ${column(({ sealed }) => sealed)}::bool[], ${column(({ intervalSeconds }) => intervalSeconds)}::int[],
      ${column(({ nextRun }) => nextRun.toISOString())}::timestamptz[]) as spec
    order by selected.number, 3
    on conflict (organization, number, field) do update set
      field_identifier = excluded.field_identifier, parser = excluded.parser, owner = excluded.owner,
      type = excluded.type, numeric_type = excluded.numeric_type, unit = excluded.unit, rotation = excluded.rotation,
      sealed = excluded.sealed, interval_seconds = excluded.interval_seconds, next_run = ${EARLIEST_RUN}, sent = 0`);
}

/** The earliest next run: at the requested time, but at least an interval after the last run. */
const EARLIEST_RUN = sql`greatest(excluded.next_run,
  stored.last_run + make_interval(secs => excluded.interval_seconds))`;

async function upsertLocation(
  tx: Tx,
  organization: string,
  devices: SQL,
  { area, locations, intervalSeconds, nextRun }: LocationSpec,
): Promise<void> {
  if (area === null && locations === null) {
    await tx.execute(sql`
      delete from location_simulation where organization = ${organization} and number in (${devices})`);
    return;
  }
  const json = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
  await tx.execute(sql`
    insert into location_simulation as stored (organization, number, area, locations, interval_seconds, next_run)
    select ${organization}, number, ${json(area)}, ${json(locations)}, ${intervalSeconds}::int,
      ${nextRun.toISOString()}::timestamptz from (${devices}) as selected order by number
    on conflict (organization, number) do update set area = excluded.area, locations = excluded.locations,
      interval_seconds = excluded.interval_seconds, next_run = ${EARLIEST_RUN}, sent = 0`);
}

/**
 * Ends simulations of the selected devices: all of them, or those of the listed fields and of the location.
 *
 * @returns the number of devices that had one
 */
export async function disableValueSimulations(app: App, scope: DeviceScope, request: Delete_Request): Promise<number> {
  const criteria = readModemCriteria(request.modems, app.now());
  const { field } = request;
  const removeAll = field.case === 'removeAll' && field.value;
  const fields = field.case === 'fields' ? field.value.fields : [];
  const removeLocation = removeAll || (field.case === 'fields' && (field.value.location ?? false));
  if (!removeAll && fields.length === 0 && !removeLocation) {
    throw invalidArgument('Specify what to disable: remove_all, some fields, or the location.');
  }
  return app.db.transaction(async (tx) => {
    await lockSettings(tx, scope.home);
    await requireIncludedDevices(tx, scope, criteria);
    const selectionCondition = sql`organization = ${scope.home}
      and number in (select ${device.number} from ${device} where ${deviceWhere(scope, criteria)})`;
    const names = sql`${sql.param(fields)}::text[]`;
    const values = await deleteNumbers(
      tx,
      sql`value_simulation where ${selectionCondition}
        and (${removeAll} or field = any(${names}) or field_identifier = any(${names}))`,
    );
    const locations = removeLocation
      ? await deleteNumbers(tx, sql`location_simulation where ${selectionCondition}`)
      : [];
    return new Set([...values, ...locations]).size;
  });
}

async function deleteNumbers(tx: Tx, from: SQL): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ number: string }>(sql`delete from ${from} returning number`);
  return rows.map(({ number }) => number);
}
