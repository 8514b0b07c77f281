import { create, type JsonObject } from '@bufbuild/protobuf';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';

import {
  type Simulation_ModemMessageSimulation,
  type Simulation_ModemMessageSimulation_Delete_Request,
  type Simulation_ModemMessageSimulation_List_Request,
  Simulation_ModemMessageSimulation_List_RequestSchema,
  Simulation_ModemMessageSimulation_List_ResponseSchema,
  Simulation_ModemMessageSimulationSchema,
  type Simulation_ModemMessageSimulation_Update_Request,
  Simulation_ModemMessageSimulation_Update_RequestSchema,
  Simulation_ModemMessageSimulation_Update_ResponseSchema,
} from '#proto/gen/hiber/simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { type DeviceScope, deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { effectivePagination, type Page, paginationResult, readPage } from '#server/wire/pagination.ts';
import { presentBytes, presentDuration, presentTimestamp } from '#server/wire/present.ts';

import { checkLimits, lockSettings, type SimulationSettings } from './limits.ts';
import { presentRandomArea, presentRotation } from './locations.ts';
import { type Change, readChange } from './message-change.ts';
import { messageSimulation } from './schema.ts';
import { loadSettings } from './settings.ts';

/** Lists the simulations of the selected devices, sorted by device number. */
export async function listMessageSimulations(
  app: App,
  scope: DeviceScope,
  request: Simulation_ModemMessageSimulation_List_Request,
) {
  const { orm } = app.db;
  const criteria = readModemCriteria(request.modems, app.now());
  await requireIncludedDevices(orm, scope, criteria);
  const requestedPage = readPage(request.pagination);
  const where = and(
    deviceWhere(scope, criteria),
    request.includeDisabled ? undefined : eq(messageSimulation.enabled, true),
  );
  const { modems, total } = await loadPage(orm, await loadSettings(orm, scope.home), where, requestedPage);
  return create(Simulation_ModemMessageSimulation_List_ResponseSchema, {
    modems,
    pagination: paginationResult(requestedPage, total),
    request: create(Simulation_ModemMessageSimulation_List_RequestSchema, {
      ...request,
      organization: scope.home,
      pagination: effectivePagination(requestedPage),
    }),
  });
}

/** Creates, changes, and enables the simulations of the selected devices. Pagination affects only the response. */
export async function updateMessageSimulations(
  app: App,
  scope: DeviceScope,
  request: Simulation_ModemMessageSimulation_Update_Request,
) {
  const now = app.now();
  const criteria = readModemCriteria(request.modems, now);
  const change = readChange(request, now);
  const requestedPage = readPage(request.pagination);
  const { modems, total } = await app.db.transaction(async (tx) => {
    const settings = await lockSettings(tx, scope.home);
    await requireIncludedDevices(tx, scope, criteria);
    const where = deviceWhere(scope, criteria);
    await tx.execute(upsert(scope.home, where, change, now));
    await checkLimits(tx, scope.home);
    return loadPage(tx, settings, where, requestedPage);
  });
  return create(Simulation_ModemMessageSimulation_Update_ResponseSchema, {
    modems,
    pagination: paginationResult(requestedPage, total),
    request: create(Simulation_ModemMessageSimulation_Update_RequestSchema, {
      ...request,
      organization: scope.home,
      pagination: effectivePagination(requestedPage),
    }),
  });
}

/**
 * Disables the simulations of the selected devices. They keep their settings for the next update.
 *
 * @returns the number of simulations that were enabled
 */
export async function disableMessageSimulations(
  app: App,
  scope: DeviceScope,
  request: Simulation_ModemMessageSimulation_Delete_Request,
): Promise<number> {
  const criteria = readModemCriteria(request.modems, app.now());
  return app.db.transaction(async (tx) => {
    await lockSettings(tx, scope.home);
    await requireIncludedDevices(tx, scope, criteria);
    const { rows } = await tx.execute(sql`
      update message_simulation set enabled = false, pause = null
       where organization = ${scope.home} and enabled
         and number in (select ${device.number} from ${device} where ${deviceWhere(scope, criteria)}) returning 1`);
    return rows.length;
  });
}

function upsert(organization: string, where: SQL | undefined, change: Change, now: Date): SQL {
  const { bodies, locations, metadata, inactiveUntil } = change;
  const time = (date: Date) => sql`${date.toISOString()}::timestamptz`;
  const json = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
  const list = (items: readonly (string | number)[], type: string) => sql`${sql.param([...items])}::${sql.raw(type)}[]`;
  const isPaused = inactiveUntil !== undefined && inactiveUntil > now;
  const pause = sql`${isPaused ? 'requested' : null}::text`;
  const nextRun = time(isPaused ? inactiveUntil : now);
  const earliestRun = (requested: SQL) => sql`greatest(${requested}, stored.last_run + make_interval(secs => coalesce(
    excluded.interval_seconds, (select interval_seconds from simulation where organization = ${organization}))))`;
  const variableBytes = (before: SQL) => sql`array(
    select distinct index from unnest(${before} || ${list(change.addVariableBytes, 'int')}) as index
     where index <> all(${list(change.removeVariableBytes, 'int')}) order by index)`;
  const interval = sql`${change.intervalSeconds ?? null}::int`;
  const updates = [
    sql`enabled = true, messages_per_interval = excluded.messages_per_interval,
      interval_seconds = excluded.interval_seconds, variable_bytes = ${variableBytes(sql`stored.variable_bytes`)}`,
    // The rotation starts over.
    ...(bodies === undefined && locations === undefined ? [] : [sql`sent = 0`]),
    ...(bodies === undefined ? [] : [sql`bodies = excluded.bodies`]),
    ...(locations === undefined ? [] : [sql`area = excluded.area, locations = excluded.locations`]),
    ...(metadata === undefined ? [] : [sql`metadata = excluded.metadata`]),
    inactiveUntil === undefined
      ? // A pause continues. Otherwise, the interval applies immediately.
        sql`next_run = case when stored.pause is not null then stored.next_run else ${earliestRun(nextRun)} end`
      : sql`next_run = ${earliestRun(nextRun)}, pause = ${pause}`,
  ];
  return sql`
    insert into message_simulation as stored (organization, number, messages_per_interval, interval_seconds, bodies,
      variable_bytes, area, locations, metadata, next_run, pause)
    select ${device.organization}, ${device.number}, ${change.messagesPerInterval ?? null}::smallint, ${interval},
      ${list(bodies ?? [], 'text')}, ${variableBytes(sql`'{}'::int[]`)}, ${json(locations?.area ?? null)},
      ${json(locations?.locations ?? null)}, ${json(metadata ?? null)}, ${nextRun}, ${pause}
      from ${device} where ${where} order by ${device.number}
    on conflict (organization, number) do update set ${sql.join(updates, sql`, `)}`;
}

async function loadPage(db: Executor, settings: SimulationSettings, where: SQL | undefined, page: Page) {
  const join = and(
    eq(device.organization, messageSimulation.organization),
    eq(device.number, messageSimulation.number),
  );
  const rows = await db
    .select({ row: messageSimulation, timeZone: device.timeZone, total: sql<number>`(count(*) over ())::int` })
    .from(messageSimulation)
    .innerJoin(device, join)
    .where(where)
    .orderBy(asc(device.number))
    .limit(page.limit)
    .offset(page.offset);
  const countQuery =
    rows[0]?.total ??
    (page.offset === 0
      ? 0
      : ((
          await db
            .select({ total: sql<number>`count(*)::int` })
            .from(messageSimulation)
            .innerJoin(device, join)
            .where(where)
        )[0]?.total ?? 0));
  return { modems: rows.map(({ row }) => present(row, settings)), total: countQuery };
}

function present(
  row: typeof messageSimulation.$inferSelect,
  settings: SimulationSettings,
): Simulation_ModemMessageSimulation {
  const bodies = row.bodies.map((hex) => presentBytes(Buffer.from(hex, 'hex')));
  const [onlyBody] = bodies;
  return create(Simulation_ModemMessageSimulationSchema, {
    modemNumber: row.number,
    messagesPerInterval: row.messagesPerInterval ?? settings.messagesPerInterval,
    simulationInterval: presentDuration(row.intervalSeconds ?? settings.intervalSeconds),
    messageBodies:
      bodies.length === 1 && onlyBody !== undefined
        ? { case: 'messageBody', value: onlyBody }
        : { case: 'messageBodyRotation', value: { messageBodies: bodies } },
    messageBodyVariableByteIndices: row.variableBytes,
    nextSimulationRunAfter: presentTimestamp(row.nextRun),
    location: row.area
      ? { case: 'randomLocationInArea', value: presentRandomArea(row.area) }
      : row.locations
        ? { case: 'locationRotation', value: { locations: presentRotation(row.locations) } }
        : { case: undefined },
    ...(row.metadata === null ? {} : { metadata: row.metadata as JsonObject }),
  });
}
