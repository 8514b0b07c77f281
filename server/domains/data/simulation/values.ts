import { create } from '@bufbuild/protobuf';
import { type SQL, sql } from 'drizzle-orm';

import {
  type Delete_Request,
  type Update_Request,
  Update_RequestSchema,
  Update_ResponseSchema,
} from '#proto/gen/hiber/value_simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { type DeviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { invalidArgument } from '#server/wire/errors.ts';

import { checkLimits, lockSettings } from './limits.ts';
import { type Spec, readSpecs, type LocationSpec, readLocations } from './value-specs.ts';

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
