/** Helpers shared by the health tests. */
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { eventTypeName } from '#server/events/visibility.ts';

import type { TestServer } from './server.ts';

const readColumns = async (t: TestServer, table: string): Promise<string> => {
  const { rows } = await t.app.db.pool.query<{ list: string }>(`
    select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
    where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'
      and column_name <> 'organization'`);
  return rows[0]?.list ?? '';
};

/**
 * Saves all data about health.
 *
 * @returns a function that restores the data, which is faster than starting a new server
 */
export async function saveHealth(t: TestServer): Promise<() => Promise<void>> {
  const run = (statement: string) => t.app.db.pool.query(statement);
  await run('create schema kept');
  for (const table of ['health_level', 'device_condition', 'event']) {
    await run(`create table kept.${table} as table public.${table}`);
  }
  await run('create table kept.device as select organization, number, health_level from public.device');
  await run('create table kept.publisher as select organization, id, health_levels from public.publisher');
  return async () => {
    for (const table of ['device_condition', 'event', 'event_health', 'message_summary'])
      await run(`delete from ${table}`);
    await run(`insert into health_level select * from kept.health_level on conflict (organization, level) do update
      set severity = excluded.severity, catch_all = excluded.catch_all, color_data = excluded.color_data`);
    await run(`update device d set health_level = k.health_level from kept.device k
      where k.organization = d.organization and k.number = d.number and k.health_level <> d.health_level`);
    await run(`delete from health_level l where not exists (select from kept.health_level k
      where k.organization = l.organization and k.level = l.level)`);
    for (const table of ['device_condition', 'event']) await run(`insert into ${table} select * from kept.${table}`);
    await run(`update publisher p set health_levels = k.health_levels from kept.publisher k
      where k.organization = p.organization and k.id = p.id`);
  };
}

/** Copies all of Northwind's data about health to another organization, with the same ids. */
export async function copyHealthData(t: TestServer, organization: string): Promise<void> {
  const run = (statement: string) => t.app.db.pool.query(statement, [organization]);
  await run('delete from device where organization = $1');
  await run('delete from event where organization = $1');
  for (const table of ['device', 'device_condition', 'publisher', 'webhook', 'event']) {
    const columns = await readColumns(t, table);
    await run(`insert into ${table} (organization, ${columns}) select $1, ${columns} from ${table}
      where organization = 'northwind'`);
  }
}

/** Reads the health levels of an organization, and all of its data that refers to a level or can be resolved. */
export async function readHealthState(t: TestServer, organization: string): Promise<unknown> {
  const { rows } = await t.app.db.pool.query(
    `select (select json_agg(l order by severity) from health_level l where organization = $1) as levels,
      (select json_agg(json_build_array(number, health_level) order by number) from device
        where organization = $1) as devices,
      (select json_agg(c order by number, source) from device_condition c where organization = $1) as conditions,
      (select json_agg(json_build_array(id, type, health_level, resolved_at) order by id) from event
        where organization = $1) as events,
      (select json_agg(h order by type) from event_health h where organization = $1) as configured,
      (select json_agg(s) from message_summary s where organization = $1) as summaries,
      (select json_agg(json_build_array(id, health_levels) order by id) from publisher
        where organization = $1) as publishers`,
    [organization],
  );
  return rows[0];
}

/** The event health configuration of a new organization, keyed by type: the level and the expiry. */
export const defaultHealthConfiguration = {
  MESSAGE_CANNOT_BE_PARSED: ['Alarm', undefined],
  PUBLISHER_FAILED: ['Alarm', undefined],
  PUBLISHER_AUTO_DISABLED: ['Alarm', undefined],
  TOKEN_EXPIRY_WARNING: ['Build up', undefined],
};

/** Returns the level and the expiry by type. */
export async function readHealthConfiguration(
  t: TestServer,
  organization?: string,
): Promise<Record<string, [string | undefined, string | undefined]>> {
  const { eventHealthLevelConfiguration } = await t
    .as('administrator')
    .client(EventService)
    .getEventConfiguration({ organization });
  return Object.fromEntries(
    eventHealthLevelConfiguration.map(({ type, level, expiry }) => [
      eventTypeName(type),
      [level?.level, expiry?.textual],
    ]),
  );
}

/** Lists the events of a type, unbundled. */
export async function listRecordedEvents(t: TestServer, type: EventType): Promise<Event[]> {
  const { unbundledEvents } = await t
    .as('administrator')
    .client(EventService)
    .list({ selection: { events: { include: [type] }, includeResolvedEvents: true }, unbundledEvents: true });
  return unbundledEvents.flatMap((unbundledEvent) => unbundledEvent.unbundledEvents);
}
